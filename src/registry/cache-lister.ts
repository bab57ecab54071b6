import { memoize } from '../meta/memoize.ts';
import type { MaybePromise } from '../async/maybe-promise.ts';
import type { Lister, ListerOptions, ListerQuery } from '../meta/lister.ts';
import type { StatusSubject } from '../status/status-error.ts';
import type { CachedObject } from '../storage/objects/cached-object.ts';
import type { CacheGet, ResourceCache } from '../storage/cache/resource-cache.ts';
import { ListerIndexes } from './lister-indexes.ts';
import { atStorageBorder } from './storage-error-status.ts';

/**
 * A lister over the cache of a resource. Parses objects on first use; indexes are built on the
 * first list.
 */
export function cacheLister<Item extends object, Index extends string = never>(
  cache: ResourceCache,
  { group, resource, read, indexes }: ListerOptions<Item, Index>,
): Lister<Item, Index> {
  const subject: StatusSubject = { group, resource };
  const itemOf = memoize((object: CachedObject) => read(object.decode()));
  let followed: ListerIndexes<Item, Index> | undefined;
  const follow = (): ListerIndexes<Item, Index> => {
    if (!followed) cache.follow((followed = new ListerIndexes(itemOf, indexes)));
    return followed;
  };
  return {
    get(namespace, name, signal) {
      const known = cache.peek(namespace, name);
      return known ? itemOf(known) : find(namespace, name, signal);
    },
    list(query, signal) {
      const known = follow();
      const pending = freshness(query, signal) ?? known.catchUp(signal);
      return pending ? listLater(known, query, pending, signal) : known.list(query);
    },
  };

  async function find(namespace: string, name: string, signal: AbortSignal): Promise<Item | undefined> {
    const get = (): Promise<CacheGet> => cache.get(namespace, name, { kind: 'latest' }, signal);
    const { object } = await atStorageBorder({ subject, name }, get);
    return object && itemOf(object);
  }

  function freshness({ latest = false }: ListerQuery<Index>, signal: AbortSignal): Promise<void> | undefined {
    const pending = cache.fresh({ kind: latest ? 'latest' : 'any' }, signal);
    return pending && atStorageBorder({ subject, name: '' }, () => pending);
  }

  async function listLater(
    known: ListerIndexes<Item, Index>,
    query: ListerQuery<Index>,
    pending: MaybePromise<void>,
    signal: AbortSignal,
  ): Promise<readonly Item[]> {
    await pending;
    await known.catchUp(signal);
    return known.list(query);
  }
}
