import { choiceFault, pluginNames } from '../admission/create-chain.ts';
import { alwaysAllowPathFault } from '../authz/always-allow-paths.ts';
import type { FlagRule, FlagTable } from '../flags/flag-table.ts';
import { boolean, checked, choice, duration, integer, list, text } from '../flags/flag-types.ts';
import { identifierSets } from '../identifiers/identifiers.ts';
import { parseAddressRange, parsePortRange } from '../resources/core/services/address-range.ts';
import { defaultServerOptions } from './server-options.ts';

/**
 * The largest accepted body with the overhead of its chunks; a smaller budget would refuse such a
 * body always.
 */
const leastBodyBudgetBytes = 4 * 1024 * 1024;

const file = text('file');
const port = integer('port', 0, 65_535);
const network = checked(text('network'), (value) =>
  parseAddressRange(value) ? undefined : 'use a network like 10.0.0.0/24',
);
const ports = checked(text('ports'), (value) => (parsePortRange(value) ? undefined : 'use ports like 30000-32767'));
const publicPaths = checked(list('paths'), (paths) => paths.map(alwaysAllowPathFault).find(Boolean) || undefined);
const bodyBudget = checked(integer('bytes'), (bytes) =>
  bytes === 0 || bytes >= leastBodyBudgetBytes ? undefined : `use 0, or at least ${leastBodyBudgetBytes}`,
);

const general = 'General';
const storage = 'Storage';
const serving = 'Serving';
const identity = 'Authentication and authorization';
const admission = 'Admission';
const services = 'Service';
const limits = 'Limit';

const unlimited = '; 0 is no limit';

/** The flags of cl-apiserver. */
export const serverFlags = {
  identifiers: {
    type: choice('set', identifierSets),
    default: 'cluster',
    section: general,
    help: `spellings of groups, labels and names: ${identifierSets.join(' or ')}`,
  },
  'log-level': {
    type: choice('level', ['silent', 'error', 'warn', 'info', 'debug']),
    default: 'info',
    section: general,
    help: 'what is logged: silent, error, warn, info or debug',
  },
  'shutdown-delay-duration': {
    type: duration(),
    default: defaultServerOptions.shutdownDelayMs,
    section: general,
    help: 'how long /readyz fails before the listener closes',
  },

  store: {
    type: choice('kind', ['etcd', 'memory']),
    default: 'etcd',
    section: storage,
    help: 'where objects are kept: etcd or memory',
  },
  'storage-endpoint': {
    type: text('url'),
    default: undefined,
    section: storage,
    help: 'a store in another process instead: grpc://host:port or grpcs://host:port',
  },
  'etcd-servers': {
    type: list('urls'),
    default: ['http://127.0.0.1:2379'],
    section: storage,
    help: 'comma-separated endpoints of etcd',
  },
  'etcd-prefix': {
    type: text('prefix'),
    default: defaultServerOptions.prefix,
    section: storage,
    help: 'prefix of every key',
  },
  'etcd-cafile': { type: file, default: undefined, section: storage, help: 'CA of the certificates of etcd' },
  'etcd-certfile': { type: file, default: undefined, section: storage, help: 'client certificate for etcd' },
  'etcd-keyfile': {
    type: file,
    default: undefined,
    section: storage,
    help: 'key of the client certificate for etcd',
  },
  'etcd-compaction-interval': {
    type: duration(),
    default: defaultServerOptions.compactionIntervalMs,
    section: storage,
    help: 'time between compactions; 0 never compacts',
  },
  'event-ttl': {
    type: duration(),
    default: defaultServerOptions.eventTtlMs,
    section: storage,
    help: 'how long Events are kept; 0 keeps them',
  },
  'watch-history': {
    type: duration(),
    default: defaultServerOptions.watchHistoryMs,
    section: storage,
    help: 'how far back a watch can start from memory',
  },
  'cache-check-interval': {
    type: duration(),
    default: defaultServerOptions.cacheCheckIntervalMs,
    section: storage,
    help: 'time between comparisons of cache and store; 0 never',
  },

  'bind-address': { type: text('address'), default: '0.0.0.0', section: serving, help: 'address to listen on' },
  'advertise-address': {
    type: text('address'),
    default: undefined,
    section: serving,
    help: 'address on which others reach this server; by default one of this machine',
  },
  'secure-port': { type: port, default: 6443, section: serving, help: 'port to listen on; 0 takes a free one' },
  'tls-cert-file': {
    type: file,
    default: undefined,
    section: serving,
    help: 'serving certificate, with intermediates',
  },
  'tls-private-key-file': { type: file, default: undefined, section: serving, help: 'key of the serving certificate' },
  'cert-dir': {
    type: text('directory'),
    default: 'pki',
    section: serving,
    help: 'where a CA and a serving certificate are made when none is given',
  },

  'client-ca-file': {
    type: file,
    default: undefined,
    section: identity,
    help: 'CA bundle that client certificates are verified against',
  },
  'token-auth-file': {
    type: file,
    default: undefined,
    section: identity,
    help: 'CSV of token,user,uid,"group1,group2"',
  },
  'anonymous-auth': {
    type: boolean,
    default: undefined,
    section: identity,
    help: 'serve requests without credentials as system:anonymous; by default not where the mode is AlwaysAllow',
  },
  'authorization-mode': {
    type: choice('mode', ['AlwaysAllow', 'AlwaysDeny']),
    default: 'AlwaysAllow',
    section: identity,
    help: 'who may do what: AlwaysAllow or AlwaysDeny',
  },
  'authorization-always-allow-paths': {
    type: publicPaths,
    default: defaultServerOptions.alwaysAllowPaths,
    section: identity,
    help: 'paths that everyone may read, without credentials too',
  },

  'enable-admission-plugins': {
    type: list('names'),
    default: [],
    section: admission,
    help: `plugins to run, besides the default ones: ${pluginNames.join(', ')}`,
  },
  'disable-admission-plugins': {
    type: list('names'),
    default: [],
    section: admission,
    help: 'default plugins that do not run',
  },

  'service-cluster-ip-range': {
    type: network,
    default: defaultServerOptions.serviceClusterIpRange,
    section: services,
    help: 'network from which services are given addresses',
  },
  'service-node-port-range': {
    type: ports,
    default: defaultServerOptions.serviceNodePortRange,
    section: services,
    help: 'ports on nodes that services are given',
  },

  'request-timeout': {
    type: duration({ positive: true }),
    default: defaultServerOptions.requestTimeoutMs,
    section: limits,
    help: 'longest time of an ordinary request',
  },
  'stuck-reader-timeout': {
    type: duration(),
    default: defaultServerOptions.stuckReaderMs,
    section: limits,
    help: 'a reader that takes nothing of its answer for so long is cut; 0 never',
  },
  'idle-timeout': {
    type: duration({ positive: true }),
    default: defaultServerOptions.idleTimeoutMs,
    section: limits,
    help: 'a connection without a request is closed after so long',
  },
  'max-connections': {
    type: integer('number', 1),
    default: defaultServerOptions.maxConnections,
    section: limits,
    help: 'open connections',
  },
  'max-connections-per-address': {
    type: integer('number', 1),
    default: defaultServerOptions.maxConnectionsPerAddress,
    section: limits,
    help: 'open connections of one address, or of one /64 network of IPv6',
  },
  'max-requests-inflight': {
    type: integer('number'),
    default: defaultServerOptions.maxRequestsInFlight,
    section: limits,
    help: `requests at a time that change nothing, watches apart${unlimited}`,
  },
  'max-mutating-requests-inflight': {
    type: integer('number'),
    default: defaultServerOptions.maxMutatingRequestsInFlight,
    section: limits,
    help: `requests at a time that may change something${unlimited}`,
  },
  'max-watches-inflight': {
    type: integer('number'),
    default: defaultServerOptions.maxWatchesInFlight,
    section: limits,
    help: `watches at a time${unlimited}`,
  },
  'max-body-bytes-inflight': {
    type: bodyBudget,
    default: defaultServerOptions.maxBodyBytes,
    section: limits,
    help: `bytes of request bodies that are held at a time${unlimited}`,
  },
  'max-answer-bytes-inflight': {
    type: integer('bytes'),
    default: defaultServerOptions.maxAnswerBytes,
    section: limits,
    help: `bytes of answers that are held at a time for readers that have not taken them${unlimited}`,
  },
} as const satisfies FlagTable;

/** A rule over the flags of cl-apiserver. */
type ServerFlagRule = FlagRule<typeof serverFlags>;
type ServerFlagName = keyof typeof serverFlags;

/** Rules about flags and combinations of flags; each returns an error message or undefined. */
export const serverFlagRules: readonly ServerFlagRule[] = [
  together('tls-cert-file', 'tls-private-key-file'),
  together('etcd-certfile', 'etcd-keyfile'),
  ({ values, given }) =>
    values.store === 'memory' && given('storage-endpoint')
      ? '--store=memory and --storage-endpoint name two stores'
      : undefined,
  ({ values, given }) => {
    const unused = etcdFlags.filter(given).map((name) => `--${name}`);
    if (unused.length === 0 || (values.store === 'etcd' && !given('storage-endpoint'))) return undefined;
    return `${unused.join(', ')} without a store in etcd`;
  },
  ({ values }) =>
    choiceFault({ enabled: values['enable-admission-plugins'], disabled: values['disable-admission-plugins'] }) ||
    undefined,
];

const etcdFlags = ['etcd-servers', 'etcd-cafile', 'etcd-certfile', 'etcd-keyfile'] satisfies ServerFlagName[];

function together(one: ServerFlagName, other: ServerFlagName): ServerFlagRule {
  return ({ given }) => (given(one) === given(other) ? undefined : `--${one} and --${other} are given together`);
}
