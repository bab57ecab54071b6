import { endpointAddress } from '../etcd/endpoint-address.ts';
import type { FlagRule, FlagTable, FlagValues } from '../flags/flag-table.ts';
import { boolean, checked, choice, duration, integer, list, text } from '../flags/flag-types.ts';
import { identifierSets, identifiersOf } from '../identifiers/identifiers.ts';
import { nodeAgentFlag } from '../identifiers/node-agent-flag.ts';
import { parseAddressRange, parsePortRange } from '../resources/core/services/address-range.ts';
import { serviceResolvers } from '../outbound/service-resolver.ts';
import { builtInDefinitions } from '../resources/definitions.ts';
import { isSafeSegment } from '../storage/port/object-key.ts';
import { apiReleases } from '../scheme/api-release.ts';
import { admissionFlagRules, admissionFlags } from './admission-flags.ts';
import { auditLogFlagRules, auditLogFlags } from './audit-log-flags.ts';
import { auditWebhookFlagRules, auditWebhookFlags } from './audit-webhook-flags.ts';
import { authenticationFlags } from './authentication-flags.ts';
import { oidcFault } from './oidc-flags.ts';
import { frontProxyFault } from './front-proxy-flags.ts';
import { authorizationFlagRules, authorizationFlags } from './authorization-flags.ts';
import { proxyFlags } from './node-agent-flags.ts';
import { runtimeConfigFault } from './api-surface.ts';
import { featureGateFault } from './feature-gates.ts';
import { servingFlags } from './serving-flags.ts';
import { serviceAccountFlags } from './service-account-flags.ts';
import { defaultServerOptions } from './server-options.ts';

/**
 * The largest accepted body with the overhead of its chunks. A smaller budget would reject every
 * body of that size.
 */
export const leastBodyBudgetBytes = 4 * 1024 * 1024;

const file = text('file');
const network = checked(text('network'), (value) =>
  parseAddressRange(value) ? undefined : 'use a network like 10.0.0.0/24',
);
const ports = checked(text('ports'), (value) => (parsePortRange(value) ? undefined : 'use ports like 30000-32767'));
const bodyBudget = checked(integer('bytes'), (bytes) =>
  bytes === 0 || bytes >= leastBodyBudgetBytes ? undefined : `use 0, or at least ${leastBodyBudgetBytes}`,
);

const processes = checked(text('number'), (value) =>
  value === 'auto' || /^[1-9]\d{0,2}$/.test(value) ? undefined : 'use a number from 1 to 999, or auto',
);

function etcdServersFault(urls: readonly string[]): string | undefined {
  if (urls.length === 0) return 'use at least one URL';
  const wrong = urls.find((url) => endpointAddress(url) === undefined);
  if (wrong !== undefined) return `${wrong} is not http://host:port or https://host:port`;
  const isMixed = new Set(urls.map((url) => endpointAddress(url)?.startsWith('https:'))).size > 1;
  return isMixed ? 'use http for all of them or https for all of them' : undefined;
}

function prefixFault(prefix: string): string | undefined {
  const segments = prefix.replaceAll(/^\/|\/$/g, '').split('/');
  return segments.every(isSafeSegment) ? undefined : 'use a path like /registry';
}

const general = 'General';
const storage = 'Storage';
const services = 'Service';
const aggregation = 'Aggregation';
const limits = 'Limit';

const unlimited = '; 0 disables the limit';

/** The flags of cl-apiserver. */
export const serverFlags = {
  identifiers: {
    type: choice('set', identifierSets),
    default: 'cluster',
    section: general,
    help: `names of API groups, well-known labels and system objects: ${identifierSets.join(' or ')}`,
  },
  'emulated-release': {
    type: choice('release', apiReleases),
    default: defaultServerOptions.emulatedRelease,
    section: general,
    help: `Kubernetes release whose API is served, ${apiReleases[0]} to ${apiReleases.at(-1)}`,
  },
  'emulation-forward-compatible': {
    type: boolean,
    default: defaultServerOptions.emulationForwardCompatible,
    section: general,
    help: 'serve the API versions of later releases than the emulated one too',
  },
  'runtime-config': {
    type: list('settings'),
    default: defaultServerOptions.runtimeConfig,
    section: general,
    help:
      'API versions to enable or disable, as <key>[=true|false]; a key is api/all, api/ga, api/beta, api/alpha, ' +
      '<group>/<version> or <group>/<version>/<resource>',
  },
  'feature-gates': {
    type: list('settings'),
    default: defaultServerOptions.featureGates,
    section: general,
    help: 'features to turn on or off, as <gate>=true|false; AllAlpha and AllBeta stand for all of a stage',
  },
  workers: {
    type: processes,
    default: '1',
    section: general,
    help:
      'number of processes that serve the port, or auto for one for each processor; each has its part of the limits ' +
      'and its own audit log (audit-2.log, ...); SIGHUP replaces them one after the other',
  },
  'log-level': {
    type: choice('level', ['silent', 'error', 'warn', 'info', 'debug']),
    default: 'info',
    section: general,
    help: 'least severe level that is logged: silent, error, warn, info or debug',
  },
  'livez-grace-period': {
    type: duration(),
    default: defaultServerOptions.livezGraceMs,
    section: general,
    help: 'time that the start may take until /livez fails because it is not finished',
  },
  profiling: {
    type: boolean,
    default: defaultServerOptions.profiling,
    section: general,
    help: 'serve CPU profiles at /debug/profile?seconds=N, and at /debug/heap heap snapshots, which contain Secrets',
  },
  'show-hidden-metrics-for-version': {
    type: text('version'),
    default: undefined,
    section: general,
    help: 'the release before the emulated one: shows the metrics that the emulated release hides',
  },
  'shutdown-delay-duration': {
    type: duration(),
    default: defaultServerOptions.shutdownDelayMs,
    section: general,
    help: 'time after a stop signal during which /readyz fails and the server still accepts connections',
  },

  store: {
    type: choice('kind', ['etcd', 'memory']),
    default: 'etcd',
    section: storage,
    help: 'where objects are stored: etcd, or memory, which is lost when the server stops',
  },
  'storage-endpoint': {
    type: text('url'),
    default: undefined,
    section: storage,
    help: 'store server to use instead of etcd: grpc://host:port or grpcs://host:port',
  },
  'etcd-servers': {
    type: checked(list('urls'), etcdServersFault),
    default: ['http://127.0.0.1:2379'],
    section: storage,
    help: 'comma-separated URLs of etcd',
  },
  'etcd-prefix': {
    type: checked(text('prefix'), prefixFault),
    default: defaultServerOptions.prefix,
    section: storage,
    help: 'prefix of all keys in the store',
  },
  'etcd-cafile': { type: file, default: undefined, section: storage, help: 'CA bundle that verifies etcd' },
  'etcd-certfile': { type: file, default: undefined, section: storage, help: 'client certificate for etcd' },
  'etcd-keyfile': {
    type: file,
    default: undefined,
    section: storage,
    help: 'private key of the client certificate for etcd',
  },
  'etcd-compaction-interval': {
    type: duration(),
    default: defaultServerOptions.compactionIntervalMs,
    section: storage,
    help: 'interval of the compactions of etcd; 0 disables them',
  },
  'event-ttl': {
    type: duration(),
    default: defaultServerOptions.eventTtlMs,
    section: storage,
    help: 'how long Events are kept; 0 keeps them until they are deleted',
  },
  'watch-history': {
    type: duration(),
    default: defaultServerOptions.watchHistoryMs,
    section: storage,
    help: 'how far back a watch can start without reading the history from etcd',
  },
  'cache-check-interval': {
    type: duration(),
    default: defaultServerOptions.cacheCheckIntervalMs,
    section: storage,
    help: 'interval at which the watch cache is compared with the store; 0 disables it',
  },

  ...servingFlags,
  ...authenticationFlags,
  ...serviceAccountFlags,
  ...authorizationFlags,
  ...auditLogFlags,
  ...auditWebhookFlags,

  ...admissionFlags,

  'service-cluster-ip-range': {
    type: network,
    default: defaultServerOptions.serviceClusterIpRange,
    section: services,
    help: 'network from which the cluster IPs of Services are allocated',
  },
  'service-resolver': {
    type: choice('way', serviceResolvers),
    default: defaultServerOptions.serviceResolver,
    section: services,
    help: 'how the Services of webhooks and aggregated servers are resolved: to a ready endpoint, to the cluster IP, or by their DNS name',
  },
  'service-node-port-range': {
    type: ports,
    default: defaultServerOptions.serviceNodePortRange,
    section: services,
    help: 'range from which the node ports of Services are allocated',
  },

  'proxy-client-cert-file': {
    type: file,
    default: undefined,
    section: aggregation,
    help: 'client certificate that names this server to aggregated servers, which trust the users in its headers',
  },
  'proxy-client-key-file': {
    type: file,
    default: undefined,
    section: aggregation,
    help: 'private key of the certificate for aggregated servers',
  },
  ...proxyFlags,

  'request-timeout': {
    type: duration({ positive: true }),
    default: defaultServerOptions.requestTimeoutMs,
    section: limits,
    help: 'time limit of requests other than watches',
  },
  'stuck-reader-timeout': {
    type: duration(),
    default: defaultServerOptions.stuckReaderMs,
    section: limits,
    help: 'time after which a connection is closed if its client reads nothing of a response; 0 disables it',
  },
  'idle-timeout': {
    type: duration({ positive: true }),
    default: defaultServerOptions.idleTimeoutMs,
    section: limits,
    help: 'time after which a connection without requests is closed',
  },
  'max-connections': {
    type: integer('number', 1),
    default: defaultServerOptions.maxConnections,
    section: limits,
    help: 'limit of open connections',
  },
  'max-connections-per-address': {
    type: integer('number', 1),
    default: defaultServerOptions.maxConnectionsPerAddress,
    section: limits,
    help: 'limit of open connections from one IPv4 address or one IPv6 /64 network',
  },
  'max-requests-inflight': {
    type: integer('number'),
    default: defaultServerOptions.maxRequestsInFlight,
    section: limits,
    help: `limit of concurrent read requests, without watches${unlimited}`,
  },
  'max-mutating-requests-inflight': {
    type: integer('number'),
    default: defaultServerOptions.maxMutatingRequestsInFlight,
    section: limits,
    help: `limit of concurrent write requests${unlimited}`,
  },
  'enable-priority-and-fairness': {
    type: boolean,
    default: defaultServerOptions.priorityAndFairness,
    section: limits,
    help: 'share the requests in flight among users by flow schemas and priority levels, and let others wait',
  },
  'max-watches-inflight': {
    type: integer('number'),
    default: defaultServerOptions.maxWatchesInFlight,
    section: limits,
    help: `limit of open watches${unlimited}`,
  },
  'max-body-bytes-inflight': {
    type: bodyBudget,
    default: defaultServerOptions.maxBodyBytes,
    section: limits,
    help: `limit of request bodies in memory, in bytes${unlimited}`,
  },
  'max-answer-bytes-inflight': {
    type: integer('bytes'),
    default: defaultServerOptions.maxAnswerBytes,
    section: limits,
    help: `limit of responses in memory that clients have not yet read, in bytes${unlimited}`,
  },
} as const satisfies FlagTable;

/** A rule over the flags of cl-apiserver. */
type ServerFlagRule = FlagRule<typeof serverFlags>;
type ServerFlagName = keyof typeof serverFlags;

/** Rules about flags and combinations of flags; each returns an error message or undefined. */
export const serverFlagRules: readonly ServerFlagRule[] = [
  together('tls-cert-file', 'tls-private-key-file'),
  together('etcd-certfile', 'etcd-keyfile'),
  together('proxy-client-cert-file', 'proxy-client-key-file'),
  together(nodeAgentFlag('client-certificate'), nodeAgentFlag('client-key')),
  ...authorizationFlagRules,
  ...auditLogFlagRules,
  ...auditWebhookFlagRules,
  ({ values }) => frontProxyFault(values),
  ({ given }) => oidcFault(given),
  ({ values, given }) =>
    values.store === 'memory' && given('storage-endpoint')
      ? '--store=memory and --storage-endpoint cannot be used together'
      : undefined,
  ({ values, given }) => {
    const unused = etcdFlags.filter(given).map((name) => `--${name}`);
    if (unused.length === 0 || (values.store === 'etcd' && !given('storage-endpoint'))) return undefined;
    return `${unused.join(', ')} can only be used with --store=etcd and without --storage-endpoint`;
  },
  ({ values, given }) =>
    values.store === 'memory' && given('workers')
      ? '--workers needs a store that processes share: --store=memory is that of one'
      : undefined,
  ...admissionFlagRules,
  ({ values }) => featureGateFault(surfaceOptionsOf(values)),
  ({ values }) => {
    const options = surfaceOptionsOf(values);
    if (featureGateFault(options) !== undefined) return undefined;
    return runtimeConfigFault(options, builtInDefinitions(identifiersOf(values.identifiers)));
  },
  ({ values }) => {
    const release = values['emulated-release'];
    const previous = apiReleases[apiReleases.indexOf(release) - 1];
    const shown = values['show-hidden-metrics-for-version'];
    if (shown === undefined || shown === previous) return undefined;
    return `--show-hidden-metrics-for-version must be omitted, or the release before ${release}: ${previous ?? 'none'}`;
  },
];

const etcdFlags = ['etcd-servers', 'etcd-cafile', 'etcd-certfile', 'etcd-keyfile'] satisfies ServerFlagName[];

function together(one: ServerFlagName, other: ServerFlagName): ServerFlagRule {
  return ({ given }) => (given(one) === given(other) ? undefined : `--${one} and --${other} must be given together`);
}

function surfaceOptionsOf(values: FlagValues<typeof serverFlags>) {
  return {
    emulatedRelease: values['emulated-release'],
    emulationForwardCompatible: values['emulation-forward-compatible'],
    runtimeConfig: values['runtime-config'],
    featureGates: values['feature-gates'],
  };
}
