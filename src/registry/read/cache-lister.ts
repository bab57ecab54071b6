import type { JsonObject } from '../../meta/json-value.ts';
import { memoize } from '../../meta/memoize.ts';
import type { Lister, ListerOptions, ListerQuery } from '../../meta/lister.ts';
import type { StatusSubject } from '../../status/status-error.ts';
import type { CachedObject } from '../../storage/objects/cached-object.ts';
import { isSafeSegment } from '../../storage/port/object-key.ts';
import type { CacheGet, ResourceCache } from '../../storage/cache/resource-cache.ts';
import { PendingChanges } from './pending-changes.ts';
import { atStorageBorder } from './storage-error-status.ts';

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
class ListerIndexes<Item extends object, Index extends string> {
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

/** The indexes of a lister, and the cache that they follow. */
interface Followed<Item extends object, Index extends string> {
  readonly cache: ResourceCache;
  readonly indexes: ListerIndexes<Item, Index>;
}

/**
 * A lister over the cache of a resource. Parses objects on first use; indexes are built on the
 * first list, and again if the resource has got another cache because its definition changed.
 * `currentCache` returns undefined while the resource is not served: then there are no objects.
 */
export function cacheLister<Item extends object, Index extends string = never, Kind extends JsonObject = JsonObject>(
  currentCache: () => ResourceCache | undefined,
  { group, resource, read, indexes }: ListerOptions<Item, Index, Kind>,
): Lister<Item, Index> {
  const subject: StatusSubject = { group, resource };
  // The tree of a recent write is shared, as items are.
  // Objects of built-in kinds are completed when they are decoded, so they have their types.
  const itemOf = memoize((object: CachedObject) => read((object.value ?? object.decode()) as Kind));
  let followed: Followed<Item, Index> | undefined;
  const follow = (cache: ResourceCache): Followed<Item, Index> => {
    if (followed?.cache === cache) return followed;
    followed = { cache, indexes: new ListerIndexes(itemOf, indexes) };
    cache.follow(followed.indexes.changes);
    return followed;
  };
  const peek = (cache: ResourceCache | undefined, namespace: string, name: string): Item | undefined => {
    const known = isPlace(namespace, name) ? cache?.peek(namespace, name) : undefined;
    return known && itemOf(known);
  };
  return {
    peek: (namespace, name) => peek(currentCache(), namespace, name),
    get(namespace, name, signal) {
      const cache = currentCache();
      const known = peek(cache, namespace, name);
      if (known || !isPlace(namespace, name)) return known;
      return cache && find(cache, namespace, name, signal);
    },
    list(query, signal) {
      const cache = currentCache();
      if (!cache) return [];
      const known = follow(cache);
      const pending = freshness(cache, query, signal) ?? known.indexes.changes.catchUp(signal);
      return pending ? listLater(known, query, pending, signal) : known.indexes.list(query);
    },
    follow(change) {
      const changes = new PendingChanges((key, current) => change(key, current && itemOf(current)));
      let source: ResourceCache | undefined;
      return {
        catchUp(signal) {
          const cache = currentCache();
          // The first objects of another cache replace all of the previous one.
          if (cache && cache !== source) (source = cache).follow(changes);
          const pending = cache && freshness(cache, {}, signal);
          return pending ? pending.then(() => changes.catchUp(signal)) : changes.catchUp(signal);
        },
      };
    },
  };

  async function find(
    cache: ResourceCache,
    namespace: string,
    name: string,
    signal: AbortSignal,
  ): Promise<Item | undefined> {
    const get = (): Promise<CacheGet> => cache.get(namespace, name, { kind: 'latest' }, signal);
    const { object } = await atStorageBorder({ subject, name }, get);
    return object && itemOf(object);
  }

  function freshness(
    cache: ResourceCache,
    { latest = false }: ListerQuery<Index>,
    signal: AbortSignal,
  ): Promise<void> | undefined {
    const pending = cache.fresh({ kind: latest ? 'latest' : 'any' }, signal);
    return pending && atStorageBorder({ subject, name: '' }, () => pending);
  }
}

/** Reports whether there can be an object of this name: it may come from an object of a client. */
function isPlace(namespace: string, name: string): boolean {
  return isSafeSegment(name) && (namespace === '' || isSafeSegment(namespace));
}

async function listLater<Item extends object, Index extends string>(
  known: Followed<Item, Index>,
  query: ListerQuery<Index>,
  pending: Promise<void>,
  signal: AbortSignal,
): Promise<readonly Item[]> {
  await pending;
  await known.indexes.changes.catchUp(signal);
  // Indexing stops when the caller has gone, so the indexes may be incomplete.
  signal.throwIfAborted();
  return known.indexes.list(query);
}
