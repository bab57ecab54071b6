import type { PluginChoice } from '../admission/chain/create-chain.ts';
import { httpFlags } from '../api/http-flags.ts';
import { defaultsOf, flagsOf, type GroupOf, type OptionsOf } from '../flags/flag-options.ts';
import type { FlagTable } from '../flags/flag-table.ts';
import { klogFlags } from '../flags/klog-flags.ts';
import { logBufferFlags } from '../flags/log-flags.ts';
import { headersTimeoutMs, receiveTimeoutMs } from '../http-protocol/messages/server-settings.ts';
import type { JsonObject } from '../meta/json-value.ts';
import type { CacheSettings } from '../storage/cache/cache-settings.ts';
import { admissionFlags } from './flags/admission-flags.ts';
import { auditLogFlags } from './flags/audit-log-flags.ts';
import type { AuditOptions } from './flags/audit-options.ts';
import { auditWebhookFlags } from './flags/audit-webhook-flags.ts';
import { authenticationFlags } from './flags/authentication-flags.ts';
import { authorizationFlags } from './flags/authorization-flags.ts';
import { type AuthorizationOptions, defaultMode } from './flags/authorization-options.ts';
import { controlPlaneFlags, metricFlags } from './flags/control-plane-flags.ts';
import { coordinatedElectionFlags } from './flags/coordinated-election-flags.ts';
import type { FrontProxyOptions } from './flags/front-proxy-flags.ts';
import { generalFlags } from './flags/general-flags.ts';
import { legacyFlags } from './flags/legacy-flags.ts';
import { nodeAgentFlags, type NodeAgentOptions, proxyFlags } from './flags/node-agent-flags.ts';
import type { OidcOptions } from './flags/oidc-flags.ts';
import { peerFlags, proxyClientFlags } from './flags/peer-flags.ts';
import type { NamedRelease } from './flags/release-flags.ts';
import { serviceAccountFlags } from './flags/service-account-flags.ts';
import { serviceFlags } from './flags/service-flags.ts';
import { servingFlags } from './flags/serving-flags.ts';
import { storageFlags } from './flags/storage-flags.ts';
import type { TokenWebhookOptions } from './flags/token-webhook-flags.ts';
import type { Siblings } from './siblings.ts';
import type { StoreOptions } from './flags/store-options.ts';

/** The flags of cl-apiserver and their options. */
export const serverTable = {
  ...generalFlags,
  ...storageFlags,
  ...servingFlags,
  ...authenticationFlags,
  ...serviceAccountFlags,
  ...authorizationFlags,
  ...auditLogFlags,
  ...auditWebhookFlags,

  ...admissionFlags,
  ...controlPlaneFlags,
  ...metricFlags,
  ...serviceFlags,
  ...coordinatedElectionFlags,

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
