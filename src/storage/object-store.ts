/**
 * The port to a store: versioned bytes by key, in the shape of the service `ObjectStore` in `proto/`. Three stores
 * implement it (etcd, in memory, a remote one over gRPC) and one contract suite runs against all.
 *
 * Keys are path-safe strings made by `object-key.ts`. Values are opaque. A revision is a positive integer that rises
 * by one with every write to the store, whatever the key; 0 stands for "none". Keys whose time is over may be deleted
 * together, at one revision. Every method throws `StorageError`.
 */
export interface ObjectStore {
  /** Linearizable read of one key; at `revision`, the state as it was then (Compacted, FutureRevision). */
  get(key: string, options?: { readonly revision?: number; readonly signal?: AbortSignal }): Promise<GetResult>;

  /** Writes a key that must not exist: AlreadyExists otherwise. Answers the revision of the write. */
  create(key: string, value: Uint8Array, options?: WriteCallOptions): Promise<{ readonly revision: number }>;

  /**
   * Replaces the value if the key is at `expectedRevision` (compare-and-swap). Otherwise answers what is there now
   * (`current` undefined: the key is gone), from the same transaction, so that the caller can try again without a read.
   */
  update(key: string, value: Uint8Array, expectedRevision: number, options?: WriteCallOptions): Promise<SwapResult>;

  /** Deletes the key if it is at `expectedRevision`; answers as `update`. */
  delete(key: string, expectedRevision: number, options?: CallOptions): Promise<SwapResult>;

  /**
   * The keys under a prefix, in byte order, in pages made by the store, all at one revision: `revision` if given, else
   * the newest at the start (linearizable). `startKey` (inclusive) continues an earlier list. `limit` ends it early.
   */
  list(prefix: string, options?: ListOptions): AsyncIterable<ListPage>;

  /**
   * Changes under a prefix after `afterRevision`, in order, without gaps or repeats. Each batch is whole revisions. A batch
   * without events only says that everything up to `revision` has been delivered; the first one is of this kind, at
   * `afterRevision`, and says that the store has accepted the watch. Returns when `signal` aborts. Throws Compacted when
   * history is gone (first or later), FutureRevision, Corrupt where the history is not `historyId`, and Unavailable when
   * the stream broke: a store does not reconnect, the caller resumes behind the last batch.
   */
  watch(prefix: string, options: WatchOptions): AsyncIterable<WatchBatch>;

  /** Forgets history before `revision`: reads below it become Compacted. Repeating an older compaction is no error. */
  compact(revision: number, options?: CallOptions): Promise<void>;

  /** The newest revision, by a cheap linearizable read, and what is known of the store. */
  status(options?: CallOptions): Promise<StoreStatus>;

  /** Releases connections and ends all watches. */
  close(): Promise<void>;
}

/** Options of a single call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Options of a call that writes a value. */
export interface WriteCallOptions extends CallOptions {
  /**
   * The store deletes the key some time after so many seconds, unless it is written again before: at most a minute and a few
   * seconds later. Watches are told. Without it the key stays, whatever was said of it before.
   */
  readonly ttlSeconds?: number;
}

/** A value with the revision of its last write. */
export interface StoredValue {
  readonly key: string;
  readonly value: Uint8Array;
  readonly revision: number;
}

/** `current` is undefined where the key does not exist; `revision` is the store's at the time of the read. */
export interface GetResult {
  readonly current: StoredValue | undefined;
  readonly revision: number;
}

/** The outcome of a compare-and-swap. */
export type SwapResult =
  | { readonly swapped: true; readonly revision: number }
  | { readonly swapped: false; readonly current: StoredValue | undefined; readonly revision: number };

/** Where a list begins and ends. */
export interface ListOptions extends CallOptions {
  readonly revision?: number;
  readonly startKey?: string;
  readonly limit?: number;
}

/** Some values of a list. `remaining` counts the keys behind this page, beyond `limit` too. */
export interface ListPage {
  readonly revision: number;
  readonly values: readonly StoredValue[];
  readonly remaining: number;
}

/** Where a watch begins. 0 is not allowed: list first, then watch from the list's revision. */
export interface WatchOptions extends CallOptions {
  readonly afterRevision: number;
  /** The history that `afterRevision` belongs to, from `status`; any by default. */
  readonly historyId?: string;
  /** Whether events need their previous values, true by default. A store may send them all the same. */
  readonly previous?: boolean;
}

/** Some changes in order; everything up to `revision` under the prefix has now been delivered. */
export interface WatchBatch {
  readonly revision: number;
  readonly events: readonly StoreEvent[];
}

/**
 * One change. `previous` is the value before it, where history still has it. A put that `created` its key has none; another put
 * without one has lost it to a compaction.
 */
export type StoreEvent =
  | {
      readonly type: 'put';
      readonly current: StoredValue;
      readonly created: boolean;
      readonly previous: StoredValue | undefined;
    }
  | {
      readonly type: 'delete';
      readonly key: string;
      readonly revision: number;
      readonly previous: StoredValue | undefined;
    };

/** What a store says of itself. */
export interface StoreStatus {
  readonly revision: number;
  /** Names the history that revisions belong to: another name after the store was replaced or went back in time. */
  readonly historyId: string;
  /** Version of the software behind it, for messages; '' where there is none. */
  readonly version: string;
}
