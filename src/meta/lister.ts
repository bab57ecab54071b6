import type { MaybePromise } from '../async/maybe-promise.ts';
import type { JsonObject } from './json-value.ts';

/**
 * Reads the objects of one resource from memory, for what decides by them on the way of other requests: admission plugins,
 * authorizers, controllers in the process. An item is what the reader makes of an object, once for each state of it; it is
 * shared and must not be changed. Throws `StatusError`.
 */
export interface Lister<Item extends object, Index extends string = never> {
  /** An object by name. One that is not known here is looked up in the store: what was created a moment ago is found. */
  get(namespace: string, name: string, signal: AbortSignal): MaybePromise<Item | undefined>;
  /** All objects that a query selects, in no order. */
  list(query: ListerQuery<Index>, signal: AbortSignal): MaybePromise<readonly Item[]>;
}

/** Which objects are listed; an empty query selects all. */
export interface ListerQuery<Index extends string = never> {
  readonly namespace?: string;
  /** An index, and a value by which it finds objects. */
  readonly by?: readonly [index: Index, value: string];
  readonly labels?: (labels: ReadonlyMap<string, string>) => boolean;
  /** Also what was written in the last moment, which costs a read of the store's revision. Default: what is known here. */
  readonly latest?: boolean;
}

/** What a lister reads, and how. */
export interface ListerOptions<Item extends object, Index extends string = never> {
  /** The full group and the plural name. */
  readonly group: string;
  readonly resource: string;
  /** Makes an item of an object in the storage version, which is the reader's own. */
  readonly read: (object: JsonObject) => Item;
  /** The values by which each index finds an item. */
  readonly indexes?: Readonly<Record<Index, (item: Item) => readonly string[]>>;
}

/** Makes the lister of a resource. */
export type ListerOf = <Item extends object, Index extends string = never>(
  options: ListerOptions<Item, Index>,
) => Lister<Item, Index>;
