import type { MaybePromise } from '../async/maybe-promise.ts';
import type { JsonObject } from './json-value.ts';

/**
 * Reads the objects of one resource from memory, for decisions within requests: admission
 * plugins, authorizers, in-process controllers. An item is parsed from an object once for each of
 * its states; it is shared and must not be mutated. Throws `StatusError`.
 */
export interface Lister<Item extends object, Index extends string = never> {
  /**
   * Finds an object by name. An object missing in the cache is read from the store, so that a
   * recent create is found.
   */
  get(namespace: string, name: string, signal: AbortSignal): MaybePromise<Item | undefined>;
  /**
   * The object if the cache has it, without waiting. For callers that create the signal of `get`
   * only if they need it.
   */
  peek(namespace: string, name: string): Item | undefined;
  /** Returns all objects that a query selects, in no particular order. */
  list(query: ListerQuery<Index>, signal: AbortSignal): MaybePromise<readonly Item[]>;
  /**
   * Follows all objects, for an index of the caller's own shape. `change` gets the item of a key
   * that was written, or undefined if it was deleted; it is called by `catchUp` only.
   */
  follow(change: (key: string, item: Item | undefined) => void): ListerFeed;
}

/** The changes of a lister that a follower has not taken yet. */
export interface ListerFeed {
  /**
   * Passes all changes up to the current state of the cache. Returns undefined when done; a
   * promise while the cache is being filled, or if many changes take several loop turns.
   */
  catchUp(signal: AbortSignal): Promise<void> | undefined;
}

/** Selects objects; an empty query selects all. */
export interface ListerQuery<Index extends string = never> {
  readonly namespace?: string;
  /** An index and the value to look up. */
  readonly by?: readonly [index: Index, value: string];
  readonly labels?: (labels: ReadonlyMap<string, string>) => boolean;
  /**
   * True to include all earlier writes, which costs a read of the store's revision. Default: the
   * current state of the cache.
   */
  readonly latest?: boolean;
}

/** The resource of a lister, whose objects are of type Kind, and the parser of its items. */
export interface ListerOptions<
  Item extends object,
  Index extends string = never,
  Kind extends JsonObject = JsonObject,
> {
  /** Full group and plural name. */
  readonly group: string;
  readonly resource: string;
  /** Parses an object in the storage version, which the parser may keep. */
  readonly read: (object: Kind) => Item;
  /** True to have all objects in memory before the server is ready. */
  readonly warm?: boolean;
  /** The values of an item in each index. */
  readonly indexes?: Readonly<Record<Index, (item: Item) => readonly string[]>>;
}

/** Creates the lister of a resource. */
export type ListerOf = <Item extends object, Index extends string = never, Kind extends JsonObject = JsonObject>(
  options: ListerOptions<Item, Index, Kind>,
) => Lister<Item, Index>;
