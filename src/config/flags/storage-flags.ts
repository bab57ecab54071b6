import { endpointAddress } from '../../etcd/endpoint.ts';
import { flagsOf } from '../../flags/flag-options.ts';
import { inSection } from '../../flags/flag-table.ts';
import { boolean, checked, choice, duration, integer, list, text } from '../../flags/flag-types.ts';
import { isSafeSegment } from '../../storage/port/object-key.ts';
import { storageMediaTypes, upstreamIdentifiers } from './storage-media-types.ts';
import { etcdOverrides } from './etcd-overrides.ts';

const storage = 'Storage';
const file = text('file');

/** The flags of the files of an etcd cluster. */
export const etcdFileFlags = inSection(storage, {
  caFile: {
    flag: 'etcd-cafile',
    type: file,
    help: 'CA bundle that verifies etcd',
  },
  certFile: {
    flag: 'etcd-certfile',
    type: file,
    help: 'client certificate for etcd',
  },
  keyFile: {
    flag: 'etcd-keyfile',
    type: file,
    help: 'private key of the client certificate for etcd',
  },
});

const storeFlags = inSection(storage, {
  store: {
    type: choice('kind', ['etcd', 'memory']),
    default: 'etcd',
    help: 'where objects are stored: etcd, or memory, which is lost when the server stops',
  },
  'storage-endpoint': {
    type: text('url'),
    help: 'store server to use instead of etcd: grpc://host:port or grpcs://host:port',
  },
  'etcd-servers': {
    type: checked(list('urls'), etcdServersError),
    default: ['http://127.0.0.1:2379'],
    help: 'comma-separated URLs of etcd',
  },
  'etcd-servers-overrides': {
    type: etcdOverrides,
    default: [],
    help: 'etcd of resources that are not in --etcd-servers, as <group>/<resource>#<URL>;<URL>, such as /events#http://127.0.0.1:3379',
  },
  /** Prefix of every key that this server reads or writes. */
  prefix: {
    flag: 'etcd-prefix',
    type: checked(text('prefix'), prefixError),
    default: '/registry',
    help: 'prefix of all keys in the store',
  },
  /**
   * The media type of objects under the keys of kube-apiserver; absent: this server's own layout.
   */
  storageMediaType: {
    flag: 'storage-media-type',
    type: choice('mediaType', storageMediaTypes),
    default: undefined,
    help: `keep objects under the keys that the upstream server uses, as JSON or Protobuf, so that either takes the store over (with --identifiers=${upstreamIdentifiers})`,
  },
  /** An EncryptionConfiguration: how values are encrypted in the store. */
  encryptionConfigFile: {
    flag: 'encryption-provider-config',
    aliases: ['experimental-encryption-provider-config'],
    type: text('file'),
    help: 'EncryptionConfiguration: the providers that encrypt objects in the store, by resource',
  },
  /** Reads `encryptionConfigFile` again when it changes. */
  encryptionConfigReload: {
    flag: 'encryption-provider-config-automatic-reload',
    type: boolean,
    default: false,
    help: 'read the file of --encryption-provider-config again when it changes',
  },
});

const timeFlags = inSection(storage, {
  /** Interval at which one of the servers of a store compacts it; 0: never. */
  compactionIntervalMs: {
    flag: 'etcd-compaction-interval',
    type: duration(),
    default: 300_000,
    help: 'interval of the compactions of etcd; 0 disables them',
  },
  /** Lifetime of an Event after its last write, rounded up to seconds; 0: it never expires. */
  eventTtlMs: {
    flag: 'event-ttl',
    type: duration(),
    default: 3_600_000,
    help: 'how long Events are kept; 0 keeps them until they are deleted',
  },
  /** How long the cache keeps events from which watches can start. */
  watchHistoryMs: {
    flag: 'watch-history',
    type: duration(),
    default: 300_000,
    help: 'how far back a watch can start without reading the history from etcd',
  },
  /** Approximate interval of comparisons of cache and store; 0: never. */
  cacheCheckIntervalMs: {
    flag: 'cache-check-interval',
    type: duration(),
    default: 300_000,
    help: 'interval at which the watch cache is compared with the store; 0 disables it',
  },
});

/** The limits and intervals of the calls to etcd. */
const etcdCallFlags = inSection(storage, {
  /** Time limits of the checks of the store for `/livez` and `/readyz`. */
  storeHealthTimeoutMs: {
    flag: 'etcd-healthcheck-timeout',
    type: duration({ positive: true }),
    default: 2_000,
    help: 'time limit of the check of etcd for /livez and /healthz',
  },
  storeReadyTimeoutMs: {
    flag: 'etcd-readycheck-timeout',
    type: duration({ positive: true }),
    default: 2_000,
    help: 'time limit of the check of etcd for /readyz',
  },
  'etcd-db-metric-poll-interval': {
    type: duration(),
    help: 'how long the size of the database of etcd that metrics show may be known; default: a minute',
  },
  'lease-reuse-duration-seconds': {
    type: integer('seconds', 1),
    help: 'time for which new Events reuse a lease of etcd, at most a twentieth of their own; default: 60',
  },
});

/** The flags of the store: kind and location, encryption, and how long its parts are kept. */
export const storageFlags = {
  ...storeFlags,
  ...flagsOf(etcdFileFlags),
  ...etcdCallFlags,
  ...timeFlags,
};

function etcdServersError(urls: readonly string[]): string | undefined {
  if (urls.length === 0) return 'use at least one URL';
  const wrong = urls.find((url) => endpointAddress(url) === undefined);
  if (wrong !== undefined) return `${wrong} is not http://host:port or https://host:port`;
  const isMixed = new Set(urls.map((url) => endpointAddress(url)?.startsWith('https:'))).size > 1;
  return isMixed ? 'use http for all of them or https for all of them' : undefined;
}

function prefixError(prefix: string): string | undefined {
  const segments = prefix.replaceAll(/^\/|\/$/g, '').split('/');
  return segments.every(isSafeSegment) ? undefined : 'use a path like /registry';
}
