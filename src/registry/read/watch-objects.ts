import {
  type ResourceRequest,
  type ServedVersion,
  type StoredResource,
  versionOf,
} from '../definition/stored-resource.ts';
import type { CacheEvent, CacheWatchQuery } from '../../storage/cache/resource-cache.ts';
import { encodeCached } from '../versions/encode-version.ts';
import type { RequestScope, VersionedEvent, WatchQuery } from '../definition/registry.ts';
import { statusOfStorageError } from './storage-error-status.ts';

/**
 * Watches a collection. Batches pass from the cache without a generator in between, which would
 * cost time for each batch.
 */
export function watchObjects(
  request: ResourceRequest,
  query: WatchQuery,
): AsyncIterableIterator<readonly VersionedEvent[]> {
  const { resource, scope } = request;
  const version = versionOf(resource, scope.version);
  const batches = resource.cache.watch(cacheQueryOf(scope, query), scope.cancellation.signal)[Symbol.asyncIterator]();
  const failed = (error: unknown): never => {
    throw watchStatus(error, resource, query);
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () =>
      version.stored
        ? batches.next().catch(failed)
        : batches
            .next()
            .then((result) => encoded(version, result))
            .catch(failed),
    async return() {
      await batches.return?.();
      return { done: true, value: undefined };
    },
  };
}

function encoded(
  version: ServedVersion,
  { done, value }: IteratorResult<readonly CacheEvent[], void>,
): IteratorResult<readonly VersionedEvent[], void> {
  if (done) return { done, value: undefined };
  return { done: false, value: value.map((event) => encodeEvent(version, event)) };
}

function watchStatus(error: unknown, { subject }: StoredResource, query: WatchQuery): unknown {
  const revision = revisionOf(query);
  return statusOfStorageError(error, {
    subject,
    name: '',
    watch: true,
    ...(revision === undefined ? {} : { revision }),
  });
}

function cacheQueryOf(scope: RequestScope, query: WatchQuery): CacheWatchQuery {
  return {
    namespace: scope.namespace,
    ...(query.fieldName === undefined ? {} : { name: query.fieldName }),
    ...(query.filter ? { filter: query.filter } : {}),
    start: query.start,
    bookmarks: query.bookmarks,
    timeoutMs: query.timeoutMs,
  };
}

function encodeEvent(version: ServedVersion, event: CacheEvent): VersionedEvent {
  return event.type === 'BOOKMARK' ? event : { type: event.type, object: encodeCached(version, event.object) };
}

function revisionOf({ start }: WatchQuery): number | undefined {
  if (start.kind === 'after') return start.revision;
  return 'revision' in start.at ? start.at.revision : undefined;
}
