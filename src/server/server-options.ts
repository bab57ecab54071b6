import type { PluginChoice } from '../admission/create-chain.ts';
import { defaultInFlightLimits, defaultOpenRequests } from '../http/http-dependencies.ts';
import {
  headersTimeoutMs,
  keepAliveTimeoutMs,
  maxConnections,
  maxConnectionsPerAddress,
} from '../http/server-settings.ts';
import type { IdentifierSet } from '../identifiers/identifiers.ts';
import type { CacheSettings } from '../storage/cache-settings.ts';

/** Where objects are kept. */
export type StoreOptions =
  | { readonly kind: 'memory' }
  | {
      readonly kind: 'etcd';
      readonly servers: readonly string[];
      readonly caFile?: string;
      readonly certFile?: string;
      readonly keyFile?: string;
    }
  /** A store in another process, spoken to over gRPC (`proto/storage`). */
  | { readonly kind: 'remote'; readonly endpoint: string };

/** The complete, validated configuration of a server; flags and `createServer` both end here. */
export interface ServerOptions {
  readonly identifiers: IdentifierSet;
  readonly store: StoreOptions;
  /** Prefix of every key that this server reads or writes. */
  readonly prefix: string;
  readonly bindAddress: string;
  /** The address on which others reach this server, for the endpoints of the API's Service; by default one of this machine. */
  readonly advertiseAddress?: string;
  /** 0 takes a free port. */
  readonly securePort: number;
  /** Given together, or not at all: then a CA and a certificate are made. */
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  /** Where a made CA and certificate are kept; undefined keeps them in memory only. */
  readonly certDir?: string;
  /** PEM bundle that client certificates must chain to; undefined: certificates do not identify anybody. */
  readonly clientCaFile?: string;
  /** How often the files of certificates are read again: serving, client CA, etcd. 0 reads them at the start alone. */
  readonly certificateReloadMs: number;
  /** CSV of `token,user,uid,"group1,group2"`. */
  readonly tokenAuthFile?: string;
  /** Tokens given in the program instead of a file; for embedding and tests. */
  readonly tokens: readonly StaticToken[];
  /**
   * Whether requests without credentials are served as the anonymous user. By default they are not where the authorization
   * mode allows everything to everyone (spec 5.6); `alwaysAllowPaths` are readable all the same.
   */
  readonly anonymousAuth?: boolean;
  /** Paths that everyone may read, without a credential too. One that ends with `/*` stands for all below it. */
  readonly alwaysAllowPaths: readonly string[];
  readonly authorizationMode: 'AlwaysAllow' | 'AlwaysDeny';
  /** Changes to the admission plugins that run by default; the names are those of spec 4.10. */
  readonly admissionPlugins: PluginChoice;
  /** The network from which Services are given their addresses: `10.0.0.0/24`. */
  readonly serviceClusterIpRange: string;
  /** The ports on nodes that Services are given: `30000-32767`, both included. */
  readonly serviceNodePortRange: string;
  /** The longest that an ordinary request may take, and the default of its `timeout` parameter. */
  readonly requestTimeoutMs: number;
  /** A reader that takes nothing of its answer for so long is cut. */
  readonly stuckReaderMs: number;
  /** A connection without a request is closed after so long. */
  readonly idleTimeoutMs: number;
  /** The headers of a request, or the preface of HTTP/2, must have come by then. */
  readonly headersTimeoutMs: number;
  /** Open connections of all clients together. */
  readonly maxConnections: number;
  /** Open connections of one address, or of one network of IPv6. */
  readonly maxConnectionsPerAddress: number;
  /** Requests in flight that change nothing, watches apart; 0 is no limit, here and below. */
  readonly maxRequestsInFlight: number;
  /** Requests in flight that may change something. */
  readonly maxMutatingRequestsInFlight: number;
  /** Open watches. */
  readonly maxWatchesInFlight: number;
  /** Bytes of request bodies that are read or handled at a time. */
  readonly maxBodyBytes: number;
  /** Bytes of answers that are held at a time because their readers have not taken them. */
  readonly maxAnswerBytes: number;
  /** How long `/readyz` fails before a server that was told to stop closes its listener. */
  readonly shutdownDelayMs: number;
  /** How long requests in flight may take to finish when the server stops. */
  readonly drainTimeoutMs: number;
  /** Every so often one of the servers on a store compacts it; 0 never. */
  readonly compactionIntervalMs: number;
  /** How long an Event lives after its last write, in whole seconds; 0 keeps it until it is deleted. */
  readonly eventTtlMs: number;
  /** How long the cache keeps events for watches to start from. */
  readonly watchHistoryMs: number;
  /** About how often the cache is compared with the store; 0 never. */
  readonly cacheCheckIntervalMs: number;
  /** Times and bounds of the watch cache that have no flag; for embedding and tests. */
  readonly cache: Partial<CacheSettings>;
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}

/** A bearer token and whom it identifies. */
export interface StaticToken {
  readonly token: string;
  readonly username: string;
  readonly groups: readonly string[];
}

/** What a server does when nothing else is said. */
export const defaultServerOptions: ServerOptions = Object.freeze({
  identifiers: 'cluster',
  store: Object.freeze({ kind: 'memory' }),
  prefix: '/registry',
  bindAddress: '127.0.0.1',
  securePort: 0,
  certificateReloadMs: 10_000,
  tokens: Object.freeze([]),
  alwaysAllowPaths: Object.freeze(['/healthz', '/livez', '/readyz', '/version']),
  authorizationMode: 'AlwaysAllow',
  admissionPlugins: Object.freeze({ enabled: Object.freeze([]), disabled: Object.freeze([]) }),
  serviceClusterIpRange: '10.0.0.0/24',
  serviceNodePortRange: '30000-32767',
  requestTimeoutMs: 60_000,
  idleTimeoutMs: keepAliveTimeoutMs,
  headersTimeoutMs,
  maxConnections,
  maxConnectionsPerAddress,
  ...defaultOpenRequests,
  ...defaultInFlightLimits,
  shutdownDelayMs: 0,
  drainTimeoutMs: 60_000,
  compactionIntervalMs: 300_000,
  eventTtlMs: 3_600_000,
  watchHistoryMs: 300_000,
  cacheCheckIntervalMs: 300_000,
  cache: Object.freeze({}),
  logLevel: 'silent',
});
