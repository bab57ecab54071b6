import { memoize } from '../../meta/memoize.ts';
import type { Tracing } from '../../tracing/span.ts';
import type { StorageLocation } from '../../storage/port/object-key.ts';
import type { CacheEvent, ResourceCache } from '../../storage/cache/resource-cache.ts';

/** The caches of stored resources. */
interface Caches<Location extends StorageLocation, Options> {
  resource(location: Location, options: Options): ResourceCache;
}

/**
 * Wraps caches so that reads which wait have spans, with the names of kube-apiserver. A read
 * without a wait (`peek`) has none.
 */
export function tracedCaches<Location extends StorageLocation, Options>(
  caches: Caches<Location, Options>,
  tracing: Tracing,
): Caches<Location, Options> {
  const tracedOf = memoize((cache: ResourceCache) => memoizedCache(cache, tracing));
  return {
    resource: (location, options) => tracedOf(caches.resource(location, options))(location),
  };
}

/** Wraps a cache once; returns the same wrapper for each call. */
function memoizedCache(cache: ResourceCache, tracing: Tracing): (location: StorageLocation) => ResourceCache {
  let traced: ResourceCache | undefined;
  return (location) => (traced ??= tracedCache(cache, tracing, typeOf(location)));
}

function typeOf({ group, resource }: StorageLocation): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function tracedCache(cache: ResourceCache, tracing: Tracing, type: string): ResourceCache {
  return {
    get: (namespace, name, at, signal) =>
      tracing.child(
        'cacher.Get',
        () => ({ type, key: [namespace, name].filter((part) => part !== '').join('/'), 'read-at': at.kind }),
        () => cache.get(namespace, name, at, signal),
      ),
    list: (query, signal) =>
      tracing.child(
        'cacher.GetList',
        () => ({ type, limit: query.limit, 'read-at': query.at.kind }),
        () => cache.list(query, signal),
      ),
    watch: (query, signal) => tracedStart(cache.watch(query, signal), tracing, type),
    peek: (namespace, name) => cache.peek(namespace, name),
    suggest: (namespace, name) => cache.suggest(namespace, name),
    follow: (follower) => cache.follow(follower),
    fresh: (at, signal) => cache.fresh(at, signal),
    written: (stored) => cache.written(stored),
  };
}

/** Adds the span of a watch, which ends with its first batch, when the watch has started. */
function tracedStart(
  batches: AsyncIterable<readonly CacheEvent[]>,
  tracing: Tracing,
  type: string,
): AsyncIterable<readonly CacheEvent[]> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = batches[Symbol.asyncIterator]();
      let hasBegun = false;
      return {
        next() {
          if (hasBegun) return iterator.next();
          hasBegun = true;
          return tracing.child(
            'cacher.Watch',
            () => ({ type }),
            () => iterator.next(),
          );
        },
        return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}
