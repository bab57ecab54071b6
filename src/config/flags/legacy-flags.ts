import { inSection } from '../../flags/flag-table.ts';
import { boolean, checked, choice, duration, integer, list, text } from '../../flags/flag-types.ts';

const inTree = 'this server has no code of clouds; a cloud controller manager is a program of its own';
const noSize = 'the watch cache has no sizes; --watch-history says how far back watches can start';
const noRedirects =
  'redirects of aggregated servers would lead clients and their credentials elsewhere; they are refused';
const inCache = 'objects are counted in the watch cache';

/** The provider: `external` means that a cloud controller manager does the work. */
const provider = checked(text('provider'), (name) =>
  name === '' || name === 'external' ? undefined : `use external or leave it out: ${inTree}`,
);
const noFile = checked(text('file'), (name) => (name === '' ? undefined : `leave it out: ${inTree}`));

const sizes = checked(list('sizes'), (given) =>
  given.every((one) => /^[a-z0-9.-]+#[0-9]+$/.test(one)) ? undefined : 'use <resource>[.<group>]#<size>',
);
const insecurePort = checked(integer('port'), (port) =>
  port === 0 ? undefined : 'use 0: requests without TLS are not served',
);

/**
 * Flags of kube-apiserver that this server accepts without effect, each with the reason, or with
 * the release that removed it.
 */
export const legacyFlags = inSection('Accepted without effect', {
  'cloud-provider': {
    type: provider,
    removed: '1.33',
    noEffect: inTree,
    help: 'the cloud of the nodes: external, or nothing',
  },
  'cloud-config': { type: noFile, removed: '1.33', noEffect: inTree, help: 'configuration of the cloud' },
  'cloud-provider-gce-lb-src-cidrs': {
    type: list('networks'),
    removed: '1.31',
    noEffect: inTree,
    help: 'networks of load balancers of a cloud',
  },
  'cloud-provider-gce-l7lb-src-cidrs': {
    type: list('networks'),
    removed: '1.31',
    noEffect: inTree,
    help: 'networks of load balancers of a cloud',
  },
  'azure-container-registry-config': {
    type: text('file'),
    removed: '1.31',
    noEffect: 'no images are pulled here',
    help: 'configuration of a registry of images',
  },
  'contention-profiling': {
    type: boolean,
    noEffect: 'one thread runs the requests of a process, and waits for no lock',
    help: 'profiles of locks',
  },
  'default-watch-cache-size': {
    type: integer('size'),
    deprecated: 'watch caches are sized automatically and this flag will be removed in a future version',
    noEffect: noSize,
    help: 'events that the watch cache keeps of each resource',
  },
  'watch-cache-sizes': {
    type: sizes,
    noEffect: noSize,
    help: 'events that the watch cache keeps of resources, as <resource>[.<group>]#<size>',
  },
  'watch-cache': {
    type: boolean,
    noEffect: 'lists, reads and watches are always served from the watch cache',
    help: 'serve from a watch cache',
  },
  'etcd-count-metric-poll-period': {
    type: duration(),
    noEffect: inCache,
    help: 'interval at which objects are counted for metrics',
  },
  'storage-backend': {
    type: choice('kind', ['etcd3']),
    noEffect: '--store=etcd is the same',
    help: 'kind of the store',
  },
  'aggregator-reject-forwarding-redirect': {
    type: checked(boolean, (rejects) => (rejects ? undefined : `use true: ${noRedirects}`)),
    noEffect: noRedirects,
    help: 'do not pass on redirects of aggregated servers',
  },
  'permit-address-sharing': {
    type: boolean,
    noEffect: 'the socket always has SO_REUSEADDR',
    help: 'bind an address of which another socket has a part, or that was closed a moment ago',
  },
  'storage-initialization-timeout': {
    type: duration(),
    noEffect: 'a server starts without its store, and is not ready until it has reached it',
    help: 'time that the caches may take to fill before the server says that it is ready',
  },
  'enable-logs-handler': {
    type: boolean,
    deprecated: 'log handler functionality is deprecated',
    noEffect: 'no files are served; the log goes to standard error',
    help: 'serve the files of /var/log at /logs',
  },
  'master-service-namespace': {
    type: text('namespace'),
    removed: '1.27',
    deprecated: 'will be removed in v1.27',
    noEffect: 'the Service of the API is in the namespace default',
    help: 'namespace of the Service that Pods find the API by',
  },
  'insecure-port': {
    type: insecurePort,
    removed: '1.24',
    deprecated: 'This flag has no effect now and will be removed in v1.24.',
    noEffect: 'requests without TLS are not served',
    help: 'port without TLS; only 0',
  },
  port: {
    type: insecurePort,
    removed: '1.24',
    deprecated: 'This flag has no effect now and will be removed in v1.24.',
    noEffect: 'requests without TLS are not served',
    help: 'the same as --insecure-port',
  },
  'insecure-bind-address': {
    type: text('address'),
    removed: '1.24',
    deprecated: 'This flag has no effect now and will be removed in v1.24.',
    noEffect: 'requests without TLS are not served',
    help: 'address for requests without TLS',
  },
  address: {
    type: text('address'),
    removed: '1.24',
    deprecated: 'This flag has no effect now and will be removed in v1.24.',
    noEffect: 'requests without TLS are not served',
    help: 'the same as --insecure-bind-address',
  },
  'audit-webhook-batch-initial-backoff': {
    type: duration(),
    deprecated: 'Deprecated, use --audit-webhook-initial-backoff instead.',
    noEffect: '--audit-webhook-initial-backoff is the flag',
    help: 'pause before a batch is sent again',
  },
  'deserialization-cache-size': {
    type: integer('count'),
    removed: '1.24',
    deprecated: 'the deserialization cache was dropped in 1.13 with support for etcd2',
    noEffect: 'objects are cached as bytes',
    help: 'decoded objects that are kept',
  },
  'target-ram-mb': {
    type: integer('megabytes'),
    removed: '1.24',
    deprecated: 'This flag will be removed in v1.23',
    noEffect: 'the heap grows and shrinks with the load',
    help: 'memory that the caches are sized for',
  },
  'enable-swagger-ui': {
    type: boolean,
    removed: '1.24',
    deprecated: 'swagger 1.2 support has been removed',
    noEffect: '--enable-dashboard serves a page for browsers',
    help: 'serve a page with the documents of the API',
  },
  'ssh-user': {
    type: checked(text('user'), (user) => (user === '' ? undefined : 'leave it out: nodes are not reached by SSH')),
    removed: '1.22',
    deprecated: 'This flag will be removed in v1.22.',
    noEffect: 'nodes are not reached by SSH',
    help: 'user of SSH tunnels to nodes',
  },
  'ssh-keyfile': {
    type: checked(text('file'), (name) => (name === '' ? undefined : 'leave it out: nodes are not reached by SSH')),
    removed: '1.22',
    deprecated: 'This flag will be removed in v1.22.',
    noEffect: 'nodes are not reached by SSH',
    help: 'key of SSH tunnels to nodes',
  },
  'experimental-logging-sanitization': {
    type: boolean,
    removed: '1.25',
    noEffect: 'credentials are never logged',
    help: 'keep secrets out of the log',
  },
  'service-account-signing-endpoint': {
    type: text('socket'),
    refused: 'tokens are signed with the key of --service-account-signing-key-file',
    help: 'socket of a program that signs the tokens of service accounts',
  },
});
