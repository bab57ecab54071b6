import type { ListerQuery } from '../../meta/lister.ts';
import type { CachedObject } from '../../storage/objects/cached-object.ts';
import { PendingChanges } from './pending-changes.ts';

/** The objects with one value of an index, by key. */
interface Bucket<Item> {
  readonly objects: Map<string, CachedObject>;
  /**
   * The parsed items, until an object of the bucket changes: most lists are repeated before that.
   */
  items: readonly Item[] | undefined;
}

type Indexes<Item, Index extends string> = Readonly<Record<Index, (item: Item) => readonly string[]>>;

/**
 * The indexes of a lister: the objects of a resource by namespace and by the lister's own
 * indexes. Follows the changes of the cache.
 */
export class ListerIndexes<Item extends object, Index extends string> {
  readonly changes = new PendingChanges((key, current, previous) => this.#set(key, current, previous));
  readonly #itemOf: (object: CachedObject) => Item;
  readonly #indexes: readonly (readonly [Index, (item: Item) => readonly string[]])[];
  readonly #buckets = new Map<string, Bucket<Item>>();

  constructor(itemOf: (object: CachedObject) => Item, indexes: Indexes<Item, Index> | undefined) {
    this.#itemOf = itemOf;
    // `Object.entries` loses the key type; the keys of a record are its indexes.
    this.#indexes = Object.entries(indexes ?? {}) as [Index, (item: Item) => readonly string[]][];
  }

  /** Returns the items that a query selects. */
  list({ namespace, by, labels }: ListerQuery<Index>): readonly Item[] {
    const bucket = this.#buckets.get(by ? bucketName(by[0], by[1]) : namespaceName(namespace ?? ''));
    if (!bucket) return [];
    const elsewhere = by !== undefined && namespace !== undefined && namespace !== '';
    if (!labels && !elsewhere) return (bucket.items ??= [...bucket.objects.values()].map(this.#itemOf));
    return [...bucket.objects.values()]
      .filter((object) => !elsewhere || object.namespace === namespace)
      .filter((object) => labels?.(object.index().labels) ?? true)
      .map(this.#itemOf);
  }

  #set(key: string, current: CachedObject | undefined, previous: CachedObject | undefined): void {
    for (const name of previous ? this.#bucketsOf(previous) : []) this.#leave(name, key);
    for (const name of current ? this.#bucketsOf(current) : []) this.#enter(name, key, current);
  }

  #bucketsOf(object: CachedObject): Set<string> {
    const found = this.#indexes.flatMap(([index, valuesOf]) =>
      valuesOf(this.#itemOf(object)).map((value) => bucketName(index, value)),
    );
    return new Set([namespaceName(''), namespaceName(object.namespace), ...found]);
  }

  #enter(name: string, key: string, object: CachedObject | undefined): void {
    if (!object) return;
    const bucket = this.#buckets.get(name) ?? { objects: new Map<string, CachedObject>(), items: undefined };
    bucket.objects.set(key, object);
    bucket.items = undefined;
    this.#buckets.set(name, bucket);
  }

  #leave(name: string, key: string): void {
    const bucket = this.#buckets.get(name);
    if (!bucket) return;
    bucket.objects.delete(key);
    bucket.items = undefined;
    if (bucket.objects.size === 0) this.#buckets.delete(name);
  }
}

/** Does not clash with `bucketName`: no index name begins with a slash. */
function namespaceName(namespace: string): string {
  return `/${namespace}`;
}

function bucketName(index: string, value: string): string {
  return `${index}/${value}`;
}
