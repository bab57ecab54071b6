import { endpointAddress } from '../etcd/endpoint.ts';
import type { PluginChoice } from '../admission/chain/create-chain.ts';
import { defaultsOf, flagsOf, type GroupOf, type OptionsOf } from '../flags/flag-options.ts';
import { inSection, type FlagTable } from '../flags/flag-table.ts';
import { boolean, checked, choice, duration, integer, list, text } from '../flags/flag-types.ts';
import { httpFlags } from '../api/http-flags.ts';
import { headersTimeoutMs, receiveTimeoutMs } from '../http-protocol/messages/server-settings.ts';
import { identifierSets } from '../identifiers/identifiers.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { serviceResolvers } from '../outbound/service-resolver.ts';
import { parseAddressRanges, parsePortRange } from '../resources/core/services/address-range.ts';
import { type NamedRelease, release } from './flags/release-flags.ts';
import { apiReleases, defaultRelease } from '../scheme/api-release.ts';
import type { CacheSettings } from '../storage/cache/cache-settings.ts';
import { isSafeSegment } from '../storage/port/object-key.ts';
import { admissionFlags } from './flags/admission-flags.ts';
import { auditLogFlags } from './flags/audit-log-flags.ts';
import type { AuditOptions } from './flags/audit-options.ts';
import { auditWebhookFlags } from './flags/audit-webhook-flags.ts';
import { componentVerbosity, highestVerbosity, logComponents } from './flags/log-components.ts';
import { controlPlaneFlags, etcdCallFlags, metricFlags } from './flags/control-plane-flags.ts';
import { logBufferFlags } from '../flags/log-flags.ts';
import { klogFlags } from '../flags/klog-flags.ts';
import { legacyFlags } from './flags/legacy-flags.ts';
import { type EtcdOverride, etcdOverrides } from './flags/etcd-overrides.ts';
import { authenticationFlags } from './flags/authentication-flags.ts';
import { authorizationFlags } from './flags/authorization-flags.ts';
import { type AuthorizationOptions, defaultMode } from './flags/authorization-options.ts';
import type { FrontProxyOptions } from './flags/front-proxy-flags.ts';
import { nodeAgentFlags, type NodeAgentOptions, proxyFlags } from './flags/node-agent-flags.ts';
import type { OidcOptions } from './flags/oidc-flags.ts';
import { serviceAccountFlags } from './flags/service-account-flags.ts';
import { servingFlags } from './flags/serving-flags.ts';
import type { TokenWebhookOptions } from './flags/token-webhook-flags.ts';
import type { Siblings } from './siblings.ts';
import { storageMediaTypes, upstreamIdentifiers } from './storage-media-types.ts';

const file = text('file');
const network = checked(text('network'), (value) =>
  parseAddressRanges(value) ? undefined : 'use a network like 10.0.0.0/24, or one of each family, with a comma',
);
const ports = checked(text('ports'), (value) => (parsePortRange(value) ? undefined : 'use ports like 30000-32767'));

const processes = checked(text('number'), (value) =>
  value === 'auto' || /^[1-9]\d{0,2}$/.test(value) ? undefined : 'use a number from 1 to 999, or auto',
);

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

const storage = 'Storage';

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

/** The flags of the certificate for aggregated servers. */
export const proxyClientFlags = inSection('Aggregation', {
  certFile: {
    flag: 'proxy-client-cert-file',
    type: file,
    help: 'client certificate that names this server to aggregated servers, which trust the users in its headers',
  },
  keyFile: {
    flag: 'proxy-client-key-file',
    type: file,
    help: 'private key of the certificate for aggregated servers',
  },
});

/** The flags about peers: the other servers of the store. */
const peerFlags = inSection('Aggregation', {
  /** PEM bundle that verifies peers; undefined: no requests are forwarded to peers. */
  peerCaFile: {
    flag: 'peer-ca-file',
    type: file,
    help: 'CA bundle that verifies the other servers of the store: requests for resources that only they serve are passed on to them, with the certificate for aggregated servers',
  },
  /** The address at which peers reach this server, in place of the advertised one. */
  peerAdvertiseIp: {
    flag: 'peer-advertise-ip',
    type: text('address'),
    help: 'address at which the other servers of the store reach this one; by default, and without --peer-advertise-port, the advertised address',
  },
  peerAdvertisePort: {
    flag: 'peer-advertise-port',
    type: integer('port', 1, 65_535),
    help: 'port at which the other servers of the store reach this one',
  },
});

/** The flags of cl-apiserver and their options. */
export const serverTable = {
  ...inSection('General', {
    identifiers: {
      flag: 'identifiers',
      type: choice('set', identifierSets),
      default: 'cluster',
      help: `names of API groups, well-known labels and system objects: ${identifierSets.join(' or ')}`,
    },
    /**
     * The Kubernetes release whose API is served: versions, deprecation warnings and `/version`.
     */
    emulatedRelease: {
      flag: 'emulated-release',
      aliases: ['emulated-version'],
      type: release,
      default: defaultRelease,
      help: `Kubernetes release whose API is served, ${apiReleases[0]} to ${apiReleases.at(-1)}, or newest`,
    },
    /** Also serves the API versions of releases after `emulatedRelease`. */
    emulationForwardCompatible: {
      flag: 'emulation-forward-compatible',
      type: boolean,
      default: false,
      help: 'serve the API versions of later releases than the emulated one too',
    },
    /** Serves a version of a later release if `runtimeConfig` names it. */
    runtimeConfigForwardCompatible: {
      flag: 'runtime-config-emulation-forward-compatible',
      type: boolean,
      default: false,
      help: 'serve the API versions of later releases that --runtime-config enables by their group and version',
    },
    /**
     * The oldest compatible release, in `/version`; absent: the release before the emulated one.
     */
    minCompatibilityVersion: {
      flag: 'min-compatibility-version',
      type: release,
      help: 'oldest release of the other servers of this control plane, shown in /version; by default the one before',
    },
    /**
     * API versions and resources to enable or disable: `<key>[=true|false]`, as in
     * `--runtime-config`.
     */
    runtimeConfig: {
      flag: 'runtime-config',
      type: list('settings'),
      default: [],
      help:
        'API versions to enable or disable, as <key>[=true|false]; a key is api/all, api/ga, api/beta, api/alpha, ' +
        '<group>/<version> or <group>/<version>/<resource>',
    },
    /** Settings of feature gates: `<gate>=true|false`, as in `--feature-gates`. */
    featureGates: {
      flag: 'feature-gates',
      type: list('settings'),
      default: [],
      help: 'features to turn on or off, as <gate>=true|false; AllAlpha and AllBeta stand for all of a stage',
    },
    workers: {
      type: processes,
      default: '1',
      help:
        'number of processes that serve the port, or auto for one for each processor; each has its part of the limits ' +
        'and its own audit log (audit-2.log, ...); SIGHUP replaces them one after the other',
    },
    logLevel: {
      flag: 'log-level',
      embedded: 'silent',
      type: choice('level', ['silent', 'error', 'warn', 'info', 'debug']),
      default: 'info',
      help: 'least severe level that is logged: silent, error, warn, info or debug',
    },
    /** The form of the lines of the log. */
    loggingFormat: {
      flag: 'logging-format',
      type: choice('format', ['json', 'text']),
      default: 'json',
      help: 'form of the log: json, with the fields of the JSON log of Kubernetes, or text, with its lines',
    },
    /** The verbosity of the log. 3 logs each request. 4 logs details, as `logLevel` debug does. */
    logVerbosity: {
      flag: 'v',
      type: integer('level', 0, highestVerbosity),
      default: 0,
      help: 'verbosity of the log: 0 to 2 what an administrator should know, 3 a line for each request too, 4 and more details too',
    },
    /** The verbosity of single components. */
    logVerbosityByComponent: {
      flag: 'vmodule',
      type: componentVerbosity,
      default: {},
      help: `verbosity by component, as requests=3,storage=4; the components are ${logComponents.join(', ')}`,
    },
    /** A TracingConfiguration, which names the collector. Needs the gate APIServerTracing. */
    tracingConfigFile: {
      flag: 'tracing-config-file',
      type: file,
      help: 'TracingConfiguration: the collector of traces and the share of requests that are traced (feature gate APIServerTracing)',
    },
    /** How long a start may take until `/livez` fails. */
    livezGraceMs: {
      flag: 'livez-grace-period',
      type: duration(),
      default: 0,
      help: 'time that the start may take until /livez fails because it is not finished',
    },
    /** The previous minor release, such as `1.22`, shows the metrics that this release hides. */
    showHiddenMetricsForVersion: {
      flag: 'show-hidden-metrics-for-version',
      type: text('version'),
      help: 'the release before the emulated one: shows the metrics that the emulated release hides',
    },
    /** How long `/readyz` fails before a stopping server closes its listener. */
    shutdownDelayMs: {
      flag: 'shutdown-delay-duration',
      type: duration(),
      default: 0,
      help: 'time after a stop signal during which /readyz fails and the server still accepts connections',
    },
  }),

  ...inSection(storage, {
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
  }),
  ...flagsOf(etcdFileFlags),
  ...etcdCallFlags,
  ...inSection(storage, {
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
  }),

  ...servingFlags,
  ...authenticationFlags,
  ...serviceAccountFlags,
  ...authorizationFlags,
  ...auditLogFlags,
  ...auditWebhookFlags,

  ...admissionFlags,
  ...controlPlaneFlags,
  ...metricFlags,

  ...inSection('Service', {
    /** The CIDRs of Service cluster IPs, at most one of each family: `10.0.0.0/24`. */
    serviceClusterIpRange: {
      flag: 'service-cluster-ip-range',
      type: network,
      default: '10.0.0.0/24',
      help: 'network from which the cluster IPs of Services are allocated; with a second one of the other family, Services can have both',
    },
    /** How the Services of webhooks and aggregated servers are resolved to addresses. */
    serviceResolver: {
      flag: 'service-resolver',
      type: choice('way', serviceResolvers),
      default: 'endpoints',
      help: 'how the Services of webhooks and aggregated servers are resolved: to a ready endpoint, to the cluster IP, or by their DNS name',
    },
    /** True is the resolver `endpoints`, false is `cluster-ip`. */
    'enable-aggregator-routing': {
      type: boolean,
      help: 'the same as --service-resolver=endpoints; false is --service-resolver=cluster-ip',
    },
    /** Range of the node ports of Services, inclusive: `30000-32767`. */
    serviceNodePortRange: {
      flag: 'service-node-port-range',
      type: ports,
      default: '30000-32767',
      help: 'range from which the node ports of Services are allocated',
    },
  }),

  ...inSection('Leader election', {
    /** The times of the election among servers; the leader elects the leaders of components. */
    coordinatedLeaseDurationMs: {
      flag: 'coordinated-leadership-lease-duration',
      type: duration({ positive: true }),
      default: 15_000,
      help: 'time after which another server elects the leaders of components (feature gate CoordinatedLeaderElection) in place of one that has not renewed its lease',
    },
    coordinatedRenewDeadlineMs: {
      flag: 'coordinated-leadership-renew-deadline',
      type: duration({ positive: true }),
      default: 10_000,
      help: 'time in which that server must renew its lease, or stop to elect leaders',
    },
    coordinatedRetryPeriodMs: {
      flag: 'coordinated-leadership-retry-period',
      type: duration({ positive: true }),
      default: 2_000,
      help: 'time between attempts of servers to take or renew that lease',
    },
  }),

  ...flagsOf(proxyClientFlags),
  ...peerFlags,
  ...proxyFlags,
  ...httpFlags,
  ...legacyFlags,
  ...klogFlags,
  ...logBufferFlags,
} as const satisfies FlagTable;

/** The flags of cl-apiserver by their names. */
export const serverFlags = flagsOf(serverTable);

/** A key of a store and its value. */
export interface StoredEntry {
  readonly key: string;
  readonly value: Uint8Array;
  /** The time until it expires; without one it never does. */
  readonly ttlSeconds?: number;
}

/** The kind and location of the store. */
export type StoreOptions =
  | {
      readonly kind: 'memory';
      /** The keys and values that the store has at its start, for embedding and tests. */
      readonly entries?: readonly StoredEntry[];
    }
  | {
      readonly kind: 'etcd';
      readonly servers: readonly string[];
      readonly caFile?: string;
      readonly certFile?: string;
      readonly keyFile?: string;
      /** The resources that are stored in another etcd. */
      readonly overrides?: readonly EtcdOverride[];
      /** How long the cached status of a member may be used, in milliseconds. */
      readonly memberMaxAgeMs?: number;
      /** How long new keys that expire reuse a lease, in seconds. */
      readonly leaseReuseSeconds?: number;
    }
  /** A store in another process, over gRPC (`proto/storage`). */
  | { readonly kind: 'remote'; readonly endpoint: string };

/** The complete, validated configuration of a server, made from flags or by `createServer`. */
export interface ServerOptions extends OptionsOf<typeof serverTable>, AuthorizationOptions, AuditOptions {
  readonly store: StoreOptions;
  /**
   * Interval for reading all certificate files again (serving, client CA, etcd), in milliseconds;
   * 0: never.
   */
  readonly certificateReloadMs: number;
  /** Tokens set by the program, for embedding and tests. */
  readonly tokens: readonly StaticToken[];
  /** The only paths that anonymous users may request; undefined: all. */
  readonly anonymousPaths?: readonly string[];
  /** An authenticating proxy; undefined: headers name nobody. */
  readonly frontProxy?: FrontProxyOptions;
  /** An OpenID provider whose ID tokens are accepted. */
  readonly oidc?: OidcOptions;
  /** A webhook that authenticates the tokens that no other mechanism knows. */
  readonly tokenWebhook?: TokenWebhookOptions;
  /** Admission plugins enabled or disabled in addition to the defaults; names as in spec 4.10. */
  readonly admissionPlugins: PluginChoice;
  /** Configurations of plugins by their name, as `--admission-control-config-file` has them. */
  readonly admissionConfigurations: Readonly<Record<string, JsonObject>>;
  /** The certificate that this server shows to aggregated servers; absent: none. */
  readonly proxyClient?: GroupOf<typeof proxyClientFlags, 'certFile' | 'keyFile'>;
  /** How node agents are connected to. */
  readonly nodeAgent: NodeAgentOptions;
  /** Timeout for the headers of a request or the HTTP/2 preface. */
  readonly headersTimeoutMs: number;
  /** Timeout for a whole request over HTTP/1.1; none for a body that is passed on. */
  readonly receiveTimeoutMs: number;
  /** How long requests in flight may take to finish when the server stops. */
  readonly drainTimeoutMs: number;
  /** Settings of the watch cache without flags, for embedding and tests. */
  readonly cache: Partial<CacheSettings>;
  /** The values of all flags by name, for `/flagz`; absent: there is no such page. */
  readonly flags?: Readonly<Record<string, string>>;
  /** The other processes that serve this port; absent: none. */
  readonly siblings?: Siblings;
  /**
   * The name from which the identity of this server is made, if several servers of a store run on
   * one machine; absent: the host name.
   */
  readonly identityName?: string;
}

/** The options of a caller; absent ones get their defaults. */
export interface GivenServerOptions extends Partial<Omit<ServerOptions, 'emulatedRelease'>> {
  /**
   * The Kubernetes release to emulate: versions, deprecation warnings and `/version`. `newest` is
   * the last one that this server knows.
   */
  readonly emulatedRelease?: NamedRelease;
}

/** A bearer token and its user. */
export interface StaticToken {
  readonly token: string;
  readonly username: string;
  /** None by default. */
  readonly groups?: readonly string[];
}

/** The defaults of all options. */
export const defaultServerOptions: ServerOptions = Object.freeze({
  ...defaultsOf(serverTable),
  store: Object.freeze({ kind: 'memory' }),
  certificateReloadMs: 10_000,
  tokens: Object.freeze([]),
  authorizationMode: defaultMode,
  admissionPlugins: Object.freeze({ enabled: Object.freeze([]), disabled: Object.freeze([]) }),
  admissionConfigurations: Object.freeze({}),
  nodeAgent: defaultsOf(nodeAgentFlags),
  headersTimeoutMs,
  receiveTimeoutMs,
  drainTimeoutMs: 60_000,
  cache: Object.freeze({}),
});
