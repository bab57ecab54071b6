import type { JsonObject } from '../../meta/json-value.ts';
import { memoize } from '../../meta/memoize.ts';
import type { Lister, ListerOptions, ListerQuery } from '../../meta/lister.ts';
import type { StatusSubject } from '../../status/status-error.ts';
import type { CachedObject } from '../../storage/objects/cached-object.ts';
import { isSafeSegment } from '../../storage/port/object-key.ts';
import type { CacheGet, ResourceCache } from '../../storage/cache/resource-cache.ts';
import { ListerIndexes } from './lister-indexes.ts';
import { PendingChanges } from './pending-changes.ts';
import { atStorageBorder } from './storage-error-status.ts';

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
