import type { EtcdOverride } from './etcd-overrides.ts';

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
