import type { CachedObject, ObjectIndex } from './cached-object.ts';
import type { ListLayout } from './list-layout.ts';
import type { StoredValue } from './object-store.ts';

/**
 * The reading side of one stored resource: consistent reads, lists and watches, from the watch cache where it can and
 * from the store's history where it must (design: invariants 2 to 5). Throws `StorageError`: Compacted (410),
 * FutureRevision (504), Unavailable.
 */
export interface ResourceCache {
  get(namespace: string, name: string, at: ReadAt, signal?: AbortSignal): Promise<CacheGet>;
  list(query: CacheListQuery, signal?: AbortSignal): Promise<CacheList>;
  /**
   * Events in order, in batches that belong to one tick; the first, often empty, says that the watch has begun. Ends when
   * `signal` aborts, and when the reader fell behind its budget: it may resume behind what it got. Throws Compacted when
   * history is gone.
   */
  watch(query: CacheWatchQuery, signal: AbortSignal): AsyncIterable<readonly CacheEvent[]>;
  /** The object as last seen here, at once and perhaps stale; undefined too where nothing is known yet. */
  peek(namespace: string, name: string): CachedObject | undefined;
  /**
   * Where an update begins, so that it need not read first. Undefined where nothing is known yet; from then on the cache fills
   * itself in the background.
   */
  suggest(namespace: string, name: string): Suggestion | undefined;
  /** Tells a follower what is known here as soon as it is, and each change from then on. Fills the cache. */
  follow(follower: CacheFollower): void;
  /**
   * Resolves when followers have heard of everything up to `at`; undefined where they have. Throws Unavailable where the cache
   * does not get there in time.
   */
  fresh(at: FreshReadAt, signal: AbortSignal): Promise<void> | undefined;
  /** The object that a write has just made. What the cache sees of the write, before or after this, is the same object. */
  written(stored: StoredValue): CachedObject;
}

/** Who is told of all objects of a resource. Neither call may wait, or throw. */
export interface CacheFollower {
  /** All objects there are, in place of all that was told before. */
  replace(objects: Iterable<CachedObject>): void;
  /** One object has changed, or is gone. */
  change(key: string, current: CachedObject | undefined): void;
}

/** What was last seen of a key, perhaps stale: an object, or that there was none. */
export interface Suggestion {
  readonly object: CachedObject | undefined;
}

/** How fresh a read must be (spec 4.6). */
export type ReadAt =
  | { readonly kind: 'latest' }
  | { readonly kind: 'any' }
  | { readonly kind: 'notOlderThan'; readonly revision: number }
  | { readonly kind: 'exact'; readonly revision: number };

/** Decides on labels and fields whether an object is selected; undefined selects all. */
export type ObjectFilter = (index: ObjectIndex) => boolean;

/**
 * What each selected object has: one of some values, which do not repeat, of a label or a field; a field that is not set has the
 * value ''.
 */
export interface SelectionTerm {
  readonly kind: 'label' | 'field';
  readonly name: string;
  readonly values: readonly string[];
}

/** What a filter demands in terms. */
export interface SelectionTerms {
  /** All of them hold for each selected object. */
  readonly all: readonly SelectionTerm[];
  /** Whether an object for which all hold is selected. */
  readonly complete: boolean;
}

/** `object` is undefined where there is none at `revision`. */
export interface CacheGet {
  readonly object: CachedObject | undefined;
  readonly revision: number;
}

/** How fresh a read of the present must be. */
export type FreshReadAt = Exclude<ReadAt, { readonly kind: 'exact' }>;

/** Which objects a list wants. `namespace` '' is all of them; `name` restricts to one object. */
export interface CacheListQuery {
  readonly namespace: string;
  readonly name?: string;
  readonly filter?: ObjectFilter;
  /** By these, objects are found without a look at all. */
  readonly terms?: SelectionTerms;
  readonly at: ReadAt;
  /** At most so many objects; 0 is no limit. */
  readonly limit: number;
  /** Continue behind this key (exclusive), within the prefix of the query. */
  readonly afterKey?: string;
}

/** The objects of a list at one revision. `lastKey` is set where objects remain; `remaining` is exact when there is no filter. */
export interface ListedObjects {
  readonly revision: number;
  readonly objects: readonly CachedObject[];
  readonly lastKey: string | undefined;
  readonly remaining: number | undefined;
}

/** A list at one revision, whose objects can be had as bytes. */
export interface CacheList extends ListedObjects {
  /** The objects in the storage version, as the bytes of list items. */
  readonly layOut: () => ListLayout;
}

/** Where a watch starts: with the state (spec 4.6, "Get State and Start at ..."), now without it, or exactly after a revision. */
export type WatchStart =
  | {
      readonly kind: 'state';
      readonly at: FreshReadAt;
      /** A bookmark ends the initial state. */
      readonly bookmarkAfterState: boolean;
    }
  | { readonly kind: 'now'; readonly at: FreshReadAt }
  | { readonly kind: 'after'; readonly revision: number };

/** What a watch wants to be told of. */
export interface CacheWatchQuery {
  readonly namespace: string;
  readonly name?: string;
  readonly filter?: ObjectFilter;
  readonly start: WatchStart;
  readonly bookmarks: boolean;
  /** When the watch will be ended by its caller, so that a bookmark can be sent shortly before. */
  readonly timeoutMs: number;
}

/**
 * One event. For DELETED, `object` is the last matching state with the revision of the event. A BOOKMARK says that everything
 * up to `revision` has been sent; `initialEventsEnd` marks the one that ends the initial state.
 */
export type CacheEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: CachedObject }
  | { readonly type: 'BOOKMARK'; readonly revision: number; readonly initialEventsEnd: boolean };
