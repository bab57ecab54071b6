import { performance } from 'node:perf_hooks';
import type { ListerQuery } from '../meta/lister.ts';
import { restAfter } from '../async/next-turn.ts';
import type { CachedObject } from '../storage/objects/cached-object.ts';
import type { CacheFollower } from '../storage/cache/resource-cache.ts';

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
export class ListerIndexes<Item extends object, Index extends string> implements CacheFollower {
  readonly #itemOf: (object: CachedObject) => Item;
  readonly #indexes: readonly (readonly [Index, (item: Item) => readonly string[]])[];
  readonly #objects = new Map<string, CachedObject>();
  readonly #buckets = new Map<string, Bucket<Item>>();
  /** Changes not indexed yet, by key; undefined for a deleted object. */
  readonly #heard = new Map<string, CachedObject | undefined>();

  constructor(itemOf: (object: CachedObject) => Item, indexes: Indexes<Item, Index> | undefined) {
    this.#itemOf = itemOf;
    // `Object.entries` loses the key type; the keys of a record are its indexes.
    this.#indexes = Object.entries(indexes ?? {}) as [Index, (item: Item) => readonly string[]][];
  }

  replace(objects: Iterable<CachedObject>): void {
    this.#heard.clear();
    for (const key of this.#objects.keys()) this.#heard.set(key, undefined);
    for (const object of objects) this.#heard.set(object.key, object);
  }

  change(key: string, current: CachedObject | undefined): void {
    // An object that came and went between two lists leaves nothing to index.
    if (!current && !this.#objects.has(key)) this.#heard.delete(key);
    else this.#heard.set(key, current);
  }

  /** The number of changes that are not indexed yet. */
  get pending(): number {
    return this.#heard.size;
  }

  /**
   * Indexes the pending changes. Returns undefined when done, or a promise if many changes are
   * indexed in several loop turns.
   */
  catchUp(signal: AbortSignal): Promise<void> | undefined {
    const start = performance.now();
    for (const [key, current] of this.#heard) {
      this.#heard.delete(key);
      this.#set(key, current);
      const rest = restAfter(start);
      if (rest) return rest.then(() => (signal.aborted ? undefined : this.catchUp(signal)));
    }
    return undefined;
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

  #set(key: string, current: CachedObject | undefined): void {
    const previous = this.#objects.get(key);
    if (previous === current) return;
    for (const name of previous ? this.#bucketsOf(previous) : []) this.#leave(name, key);
    for (const name of current ? this.#bucketsOf(current) : []) this.#enter(name, key, current);
    if (current) this.#objects.set(key, current);
    else this.#objects.delete(key);
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
