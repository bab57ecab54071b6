import type { IdentifierSet } from '../identifiers/identifiers.ts';

/** Where objects are kept. */
export type StoreOptions =
  | { readonly kind: 'memory' }
  | {
      readonly kind: 'etcd';
      readonly servers: readonly string[];
      /** Key prefix, `/registry` by default. */
      readonly prefix: string;
      readonly caFile?: string;
      readonly certFile?: string;
      readonly keyFile?: string;
    }
  | { readonly kind: 'remote'; readonly endpoint: string };

/** The complete, validated configuration of a server; flags and `createServer` both end here. */
export interface ServerOptions {
  readonly identifiers: IdentifierSet;
  readonly store: StoreOptions;
  readonly bindAddress: string;
  /** 0 takes a free port. */
  readonly securePort: number;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  /** Where a CA and a serving certificate are made and kept when none are given. */
  readonly certDir: string;
  readonly clientCaFile?: string;
  readonly tokenAuthFile?: string;
  readonly anonymousAuth: boolean;
  readonly authorizationMode: 'AlwaysAllow' | 'AlwaysDeny';
  readonly requestTimeoutMs: number;
  readonly shutdownDelayMs: number;
  readonly etcdCompactionIntervalMs: number;
  readonly watchHistoryMs: number;
}
