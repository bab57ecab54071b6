import type { MaybePromise } from '../../async/maybe-promise.ts';

/**
 * The port to a store: versioned bytes by key, as the service `ObjectStore` in `proto/` declares.
 * The etcd, memory and remote (gRPC) stores implement it; one contract suite tests all.
 *
 * Keys are path-safe strings made by `object-key.ts`. Values are opaque. A revision is a positive
 * integer that each write to the store increments, whatever its key; 0 means none. Expired keys may
 * be deleted together, at one revision. Every method throws `StorageError`.
 */
export interface ObjectStore {
  /**
   * Linearizable read of one key; with `revision`, its state at that revision (Compacted,
   * FutureRevision).
   */
  get(key: string, options?: { readonly revision?: number; readonly signal?: AbortSignal }): Promise<GetResult>;

  /** Creates a key; throws AlreadyExists if it exists. Returns the revision of the write. */
  create(key: string, value: Uint8Array, options?: WriteCallOptions): Promise<{ readonly revision: number }>;

  /**
   * Replaces the value if the key is at `expectedRevision` (compare-and-swap). Otherwise returns
   * the present value (`current` undefined: the key does not exist) from the same transaction, so
   * that the caller can retry without a read.
   */
  update(key: string, value: Uint8Array, expectedRevision: number, options?: SwapOptions): Promise<SwapResult>;

  /** Deletes the key if it is at `expectedRevision`; returns the same as `update`. */
  delete(key: string, expectedRevision: number, options?: DeleteCallOptions): Promise<SwapResult>;

  /**
   * Lists the keys with a prefix in byte order, in pages of the store's choice, all at one
   * revision: `revision` if given, else the newest at the start (linearizable). `startKey`
   * (inclusive) continues an earlier list. `limit` is the maximum number of keys.
   */
  list(prefix: string, options?: ListOptions): AsyncIterable<ListPage>;

  /**
   * Changes under a prefix after `afterRevision`, in order, without gaps or duplicates. A batch
   * consists of whole revisions. A batch without events means that everything up to `revision` has
   * been delivered; the first batch is one at `afterRevision` and confirms the watch. Returns when
   * `signal` aborts. Throws Compacted when history is gone (at the start or later), FutureRevision,
   * Corrupt if the store's history is not `historyId`, and Unavailable when the stream breaks: a
   * store does not reconnect, the caller resumes after the last batch.
   */
  watch(prefix: string, options: WatchOptions): AsyncIterable<WatchBatch>;

  /**
   * Drops history before `revision`: reads below it throw Compacted. Repeating an older compaction
   * is no error.
   */
  compact(revision: number, options?: CallOptions): Promise<void>;

  /** The newest revision, by a cheap linearizable read, with the store's identity and version. */
  status(options?: StatusOptions): Promise<StoreStatus>;

  /** Closes connections and ends all watches. */
  close(): Promise<void>;
}

/** Options of a single call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Options of a read of the status. */
export interface StatusOptions extends CallOptions {
  /**
   * True for the present alarms, at the cost of another call; else the alarms of the last minute.
   */
  readonly alarms?: boolean;
}

/** Options of a call that writes a value. */
export interface WriteCallOptions extends CallOptions {
  /**
   * TTL: the store deletes the key after this time, at most a minute and a few seconds late, unless
   * it is written again before. Watches get the delete event. A write without a TTL removes an
   * earlier one.
   */
  readonly ttlSeconds?: number;
}

/** Options of a delete. */
export interface DeleteCallOptions extends CallOptions {
  /**
   * The session in which the value at `expectedRevision` was read (`GetResult.session`). If it has
   * ended, throws SessionEnded and sends nothing: the store may have been restored since, and have
   * another value at the same revision.
   */
  readonly session?: string | undefined;
}

/** Options of an update. */
export interface SwapOptions extends WriteCallOptions, DeleteCallOptions {}

/** A value with the revision of its last write. */
export interface StoredValue {
  readonly key: string;
  readonly value: Uint8Array;
  readonly revision: number;
  /**
   * True if the store holds the object in another version than the one in which it is written now,
   * so that a write that changes nothing is due. Set by `versionedStore`.
   */
  readonly outdated?: true;
  /**
   * True if `value` is computed at each access from much fewer bytes, and should be kept by nobody.
   * Set by `versionedStore`.
   */
  readonly computed?: true;
  /**
   * Set in a watch with `sealed` if the value is encrypted: `value` is as stored, and `open`
   * decrypts it. `open` rejects with Unavailable if the key is unavailable; the caller must try
   * again.
   */
  readonly open?: () => MaybePromise<StoredValue>;
}

/**
 * `current` is undefined if the key does not exist; `revision` is the store's at the time of the
 * read. `session` is the one in which it was read, for a write that starts from the value; see
 * `StoreStatus.session`.
 */
export interface GetResult {
  readonly current: StoredValue | undefined;
  readonly revision: number;
  readonly session?: string | undefined;
}

/** The outcome of a compare-and-swap. */
export type SwapResult =
  | { readonly swapped: true; readonly revision: number }
  | ({ readonly swapped: false } & GetResult);

/** The range, limit and revision of a list. */
export interface ListOptions extends CallOptions {
  readonly revision?: number;
  readonly startKey?: string;
  readonly limit?: number;
}

/**
 * A page of a list. `remaining` counts all keys after this page, including those beyond `limit`.
 * `session` is the one in which all pages of the list are read; see `StoreStatus.session`.
 */
export interface ListPage {
  readonly revision: number;
  readonly values: readonly StoredValue[];
  readonly remaining: number;
  readonly session?: string | undefined;
}

/** The start of a watch. Revision 0 is invalid: list first, then watch from the list's revision. */
export interface WatchOptions extends CallOptions {
  readonly afterRevision: number;
  /**
   * ID of the history that `afterRevision` belongs to, from `status`; by default it is not checked.
   */
  readonly historyId?: string;
  /** True (the default) if events need previous values. A store may send them anyway. */
  readonly previous?: boolean;
  /**
   * True if the caller decrypts values itself (`StoredValue.open`), so that values with an
   * unavailable key do not block others.
   */
  readonly sealed?: boolean;
}

/** Changes in order. Everything up to `revision` under the prefix has been delivered. */
export interface WatchBatch {
  readonly revision: number;
  readonly events: readonly StoreEvent[];
}

/**
 * One change. `previous` is the value before it, if history still has it. A put that `created` its
 * key has none; any other put without it has lost it to a compaction.
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

/** The present revision, identity and version of a store. */
export interface StoreStatus {
  readonly revision: number;
  /**
   * ID of the history that revisions belong to; it changes when the store is replaced or restored
   * from a backup.
   */
  readonly historyId: string;
  /**
   * ID of the connections over which the store is reached. It changes with each connection that is
   * opened: state that was cached before must be compared with the store again, because the store
   * may have been replaced or restored without another `historyId`. Undefined if that cannot
   * happen, or the store cannot tell.
   */
  readonly session?: string | undefined;
  /** Version of the underlying software, for messages; '' if there is none. */
  readonly version: string;
  /** The file of the database at an address, as of the last minute, if the store knows it. */
  readonly database?: { readonly endpoint: string; readonly bytes: number } | undefined;
  /**
   * The alarms of etcd, by its names: `NOSPACE` (writes are refused, deletes are not) and `CORRUPT`
   * (everything is refused). Undefined if the store has no alarms.
   */
  readonly alarms?: readonly string[] | undefined;
}

/** The revision of an event. */
export function revisionOf(event: StoreEvent): number {
  return event.type === 'put' ? event.current.revision : event.revision;
}

/** The key of an event. */
export function keyOf(event: StoreEvent): string {
  return event.type === 'put' ? event.current.key : event.key;
}
