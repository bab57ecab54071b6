import { defaultInFlightLimits, defaultOpenRequests } from '../http/http-dependencies.ts';
import {
  headersTimeoutMs,
  keepAliveTimeoutMs,
  maxConnections,
  maxConnectionsPerAddress,
  receiveTimeoutMs,
} from '../http/server-settings.ts';
import type { IdentifierSet } from '../identifiers/identifiers.ts';
import type { ServiceResolverName } from '../outbound/service-resolver.ts';
import { type ApiRelease, defaultRelease } from '../scheme/api-release.ts';
import { type AdmissionOptions, defaultAdmissionOptions } from './admission-options.ts';
import type { AuditOptions } from './audit-options.ts';
import { type AuthenticationOptions, defaultAuthenticationOptions } from './authentication-options.ts';
import { type AuthorizationOptions, defaultAuthorizationOptions } from './authorization-options.ts';
import { defaultServingOptions, type ServingOptions } from './serving-options.ts';
import { defaultServiceAccountOptions, type ServiceAccountOptions } from './service-account-options.ts';
import { defaultNodeAgentOptions, type NodeAgentOptions } from './node-agent-options.ts';
import type { CacheSettings } from '../storage/cache/cache-settings.ts';
import type { Siblings } from './workers/siblings.ts';

/** The kind and location of the store. */
export type StoreOptions =
  | { readonly kind: 'memory' }
  | {
      readonly kind: 'etcd';
      readonly servers: readonly string[];
      readonly caFile?: string;
      readonly certFile?: string;
      readonly keyFile?: string;
    }
  /** A store in another process, over gRPC (`proto/storage`). */
  | { readonly kind: 'remote'; readonly endpoint: string };

/** The complete, validated configuration of a server, made from flags or by `createServer`. */
export interface ServerOptions
  extends ServingOptions,
    AuthenticationOptions,
    ServiceAccountOptions,
    AuthorizationOptions,
    AdmissionOptions,
    AuditOptions {
  readonly identifiers: IdentifierSet;
  /**
   * The Kubernetes release whose API is served: its versions, deprecation warnings and `/version`.
   */
  readonly emulatedRelease: ApiRelease;
  /** Also serves the API versions of releases after `emulatedRelease`. */
  readonly emulationForwardCompatible: boolean;
  /**
   * API versions and resources to enable or disable: `<key>[=true|false]`, as in
   * `--runtime-config`.
   */
  readonly runtimeConfig: readonly string[];
  /** Settings of feature gates: `<gate>=true|false`, as in `--feature-gates`. */
  readonly featureGates: readonly string[];
  readonly store: StoreOptions;
  /** Prefix of every key that this server reads or writes. */
  readonly prefix: string;
  /** Network for the cluster IPs of Services: `10.0.0.0/24`. */
  readonly serviceClusterIpRange: string;
  /** Range of the node ports of Services, inclusive: `30000-32767`. */
  readonly serviceNodePortRange: string;
  /** The certificate that this server shows to aggregated servers; absent: none. */
  readonly proxyClient?: { readonly certFile: string; readonly keyFile: string };
  /** How node agents are connected to. */
  readonly nodeAgent: NodeAgentOptions;
  /**
   * Networks that proxies to nodes, pods and services may reach although they are loopback,
   * link-local or this server itself: `127.0.0.0/8`.
   */
  readonly proxyAllowedNetworks: readonly string[];
  /** How the Services of webhooks and aggregated servers are resolved to addresses. */
  readonly serviceResolver: ServiceResolverName;
  /** Timeout of ordinary requests, and the default of their `timeout` parameter. */
  readonly requestTimeoutMs: number;
  /** How long a client may take no bytes of its response before it is disconnected; 0: never. */
  readonly stuckReaderMs: number;
  /** How long a connection without requests stays open. */
  readonly idleTimeoutMs: number;
  /** Timeout for the headers of a request or the HTTP/2 preface. */
  readonly headersTimeoutMs: number;
  /** Timeout for a whole request over HTTP/1.1; none for a body that is passed on. */
  readonly receiveTimeoutMs: number;
  /** Maximum of open connections. */
  readonly maxConnections: number;
  /** Maximum of open connections of one IPv4 address or IPv6 /64 network. */
  readonly maxConnectionsPerAddress: number;
  /** Maximum of read requests in flight, without watches; 0: no limit, here and below. */
  readonly maxRequestsInFlight: number;
  /** Maximum of mutating requests in flight. */
  readonly maxMutatingRequestsInFlight: number;
  /** Maximum of open watches. */
  readonly maxWatchesInFlight: number;
  /** Shares the requests in flight among users (API priority and fairness). */
  readonly priorityAndFairness: boolean;
  /** Maximum of bytes of request bodies being read or handled. */
  readonly maxBodyBytes: number;
  /** Maximum of bytes of responses that clients have not taken yet. */
  readonly maxAnswerBytes: number;
  /** How long a start may take until `/livez` fails. */
  readonly livezGraceMs: number;
  /** Serves CPU profiles and heap snapshots to users who may get their paths. */
  readonly profiling: boolean;
  /** The previous minor release, such as `1.22`, shows the metrics that this release hides. */
  readonly showHiddenMetricsForVersion?: string;
  /** How long `/readyz` fails before a stopping server closes its listener. */
  readonly shutdownDelayMs: number;
  /** How long requests in flight may take to finish when the server stops. */
  readonly drainTimeoutMs: number;
  /** Interval at which one of the servers of a store compacts it; 0: never. */
  readonly compactionIntervalMs: number;
  /** Lifetime of an Event after its last write, rounded up to seconds; 0: Events do not expire. */
  readonly eventTtlMs: number;
  /** How long the cache keeps events from which watches can start. */
  readonly watchHistoryMs: number;
  /** Approximate interval of comparisons of cache and store; 0: never. */
  readonly cacheCheckIntervalMs: number;
  /** Settings of the watch cache without flags, for embedding and tests. */
  readonly cache: Partial<CacheSettings>;
  /** The other processes that serve this port; absent: none. */
  readonly siblings?: Siblings;
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}

/** The defaults of all options. */
export const defaultServerOptions: ServerOptions = Object.freeze({
  identifiers: 'cluster',
  emulatedRelease: defaultRelease,
  emulationForwardCompatible: false,
  runtimeConfig: Object.freeze([]),
  featureGates: Object.freeze([]),
  store: Object.freeze({ kind: 'memory' }),
  prefix: '/registry',
  ...defaultServingOptions,
  ...defaultAuthenticationOptions,
  ...defaultServiceAccountOptions,
  ...defaultAuthorizationOptions,
  ...defaultAdmissionOptions,
  serviceClusterIpRange: '10.0.0.0/24',
  serviceNodePortRange: '30000-32767',
  nodeAgent: defaultNodeAgentOptions,
  proxyAllowedNetworks: Object.freeze([]),
  serviceResolver: 'endpoints',
  requestTimeoutMs: 60_000,
  idleTimeoutMs: keepAliveTimeoutMs,
  headersTimeoutMs,
  receiveTimeoutMs,
  maxConnections,
  maxConnectionsPerAddress,
  ...defaultOpenRequests,
  ...defaultInFlightLimits,
  priorityAndFairness: true,
  livezGraceMs: 0,
  profiling: false,
  shutdownDelayMs: 0,
  drainTimeoutMs: 60_000,
  compactionIntervalMs: 300_000,
  eventTtlMs: 3_600_000,
  watchHistoryMs: 300_000,
  cacheCheckIntervalMs: 300_000,
  cache: Object.freeze({}),
  logLevel: 'silent',
});
