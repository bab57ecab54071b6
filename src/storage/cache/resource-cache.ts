import type { CachedObject, ObjectIndex, Suggestion } from '../objects/cached-object.ts';
import type { JoinedItems } from '../objects/list-bytes-cache.ts';
import type { ItemsJson } from '../objects/items-json.ts';
import type { StoredValue } from '../port/object-store.ts';

/**
 * Reads of one stored resource: consistent gets, lists and watches, from the watch cache where
 * possible, else from the store's history (docs/architecture.md, invariants 2 to 5). Throws
 * `StorageError`: Compacted (410), FutureRevision (504), Unavailable.
 */
export interface ResourceCache {
  get(namespace: string, name: string, at: ReadAt, signal?: AbortSignal): Promise<CacheGet>;
  list(query: CacheListQuery, signal?: AbortSignal): Promise<CacheList>;
  /**
   * Events in order, batched by tick. The first batch, often empty, confirms that the watch has
   * begun. Ends when `signal` aborts, and when the reader exceeds its queue limit; it may then
   * resume after the last event. Throws Compacted when history is gone.
   */
  watch(query: CacheWatchQuery, signal: AbortSignal): AsyncIterable<readonly CacheEvent[]>;
  /**
   * The cached object without waiting, perhaps stale. Undefined also while the cache is not filled.
   */
  peek(namespace: string, name: string): CachedObject | undefined;
  /**
   * The object from which an update starts, so that it need not read first; perhaps stale.
   * Undefined while the cache is not filled; the call then fills it in the background.
   */
  suggest(namespace: string, name: string): Suggestion | undefined;
  /**
   * Passes all present objects to a follower as soon as they are known, then each change. Fills the
   * cache.
   */
  follow(follower: CacheFollower): void;
  /**
   * Resolves when followers have received all changes up to `at`; undefined if they have already.
   * Throws Unavailable if the cache does not reach it in time.
   */
  fresh(at: FreshReadAt, signal: AbortSignal): Promise<void> | undefined;
  /**
   * The object of a write that just succeeded. The cache uses the same object for the write's
   * event, before or after this call.
   */
  written(stored: StoredValue): CachedObject;
}

/**
 * Receives all objects and changes of a resource. Its methods are synchronous and must not throw.
 */
export interface CacheFollower {
  /** Replaces all objects received before. */
  replace(objects: Iterable<CachedObject>): void;
  /** Called after one object was changed, or deleted (`current` undefined). */
  change(key: string, current: CachedObject | undefined): void;
}

/** How fresh a read must be (spec 4.6). */
export type ReadAt =
  | { readonly kind: 'latest' }
  | { readonly kind: 'any' }
  | { readonly kind: 'notOlderThan'; readonly revision: number }
  | { readonly kind: 'exact'; readonly revision: number };

/** Returns true if an object with these labels and fields is selected; undefined selects all. */
export type ObjectFilter = (index: ObjectIndex, object: Pick<CachedObject, 'namespace' | 'uid'>) => boolean;

/**
 * A condition of a selector: the label or field has one of these distinct values. An unset field
 * has the value ''.
 */
export interface SelectionTerm {
  readonly kind: 'label' | 'field';
  readonly name: string;
  readonly values: readonly string[];
}

/** The conditions that follow from a filter. */
export interface SelectionTerms {
  /** All of them hold for each selected object. */
  readonly all: readonly SelectionTerm[];
  /** True if an object for which all conditions hold is always selected. */
  readonly complete: boolean;
}

/** The result of a get; `object` is undefined if it does not exist at `revision`. */
export interface CacheGet {
  readonly object: CachedObject | undefined;
  readonly revision: number;
}

/** The freshness of a read of the present state. */
export type FreshReadAt = Exclude<ReadAt, { readonly kind: 'exact' }>;

/** The query of a list. `namespace` '' is all of them; `name` restricts it to one object. */
export interface CacheListQuery {
  readonly namespace: string;
  readonly name?: string;
  readonly filter?: ObjectFilter;
  /** Conditions by which indexes find the objects. */
  readonly terms?: SelectionTerms;
  readonly at: ReadAt;
  /** Maximum number of objects; 0 is no limit. */
  readonly limit: number;
  /** Continues after this key (exclusive), within the key prefix of the query. */
  readonly afterKey?: string;
}

/**
 * The objects of a list at one revision. `lastKey` is set if objects remain; `remaining` only
 * without a filter, and is then exact.
 */
export interface ListedObjects {
  readonly revision: number;
  readonly objects: readonly CachedObject[];
  readonly lastKey: string | undefined;
  readonly remaining: number | undefined;
}

/** A list at one revision, and its bytes. */
export interface CacheList extends ListedObjects {
  /** The objects in the storage version, as the items of a list. */
  readonly json: () => ItemsJson;
  /** Keys of the page whose values cannot be decoded, and which it therefore lacks. */
  readonly unreadable: readonly string[];
  /** Joined items in other formats; absent for objects that are in no cache. */
  readonly joined?: JoinedItems | undefined;
}

/**
 * The start of a watch: with the present state (spec 4.6, "Get State and Start at ..."), at it but
 * without it, or exactly after a revision.
 */
export type WatchStart =
  | {
      readonly kind: 'state';
      readonly at: FreshReadAt;
      /** Sends a bookmark after the initial state. */
      readonly bookmarkAfterState: boolean;
    }
  | { readonly kind: 'now'; readonly at: FreshReadAt }
  | { readonly kind: 'after'; readonly revision: number };

/** The query of a watch. */
export interface CacheWatchQuery {
  readonly namespace: string;
  readonly name?: string;
  readonly filter?: ObjectFilter;
  readonly start: WatchStart;
  readonly bookmarks: boolean;
  /** Time until the caller ends the watch; a bookmark is sent shortly before. */
  readonly timeoutMs: number;
}

/**
 * One event. The `object` of DELETED is the last matching state with the revision of the event. A
 * BOOKMARK means that everything up to `revision` was sent; `initialEventsEnd` marks the one after
 * the initial state.
 */
export type CacheEvent =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly object: CachedObject;
      /** The state before, of a MODIFIED. */
      readonly previous?: CachedObject;
    }
  | { readonly type: 'BOOKMARK'; readonly revision: number; readonly initialEventsEnd: boolean };
