import type { CacheEvent, CacheWatchQuery } from '../storage/resource-cache.ts';
import { encodeCached } from './encode-version.ts';
import type { RequestScope, VersionedEvent, WatchQuery } from './registry.ts';
import { statusOfStorageError } from './storage-status.ts';
import { type ServedVersion, type StoredResource, versionOf } from './stored-resource.ts';

/** Follows a collection. Batches stay what the cache made them. */
export async function* watchObjects(
  resource: StoredResource,
  scope: RequestScope,
  query: WatchQuery,
): AsyncGenerator<readonly VersionedEvent[]> {
  const version = versionOf(resource, scope.version);
  try {
    for await (const batch of resource.cache.watch(cacheQueryOf(scope, query), scope.cancellation.signal)) {
      yield version.stored ? batch : batch.map((event) => encodeEvent(version, event));
    }
  } catch (error) {
    const revision = revisionOf(query);
    throw statusOfStorageError(error, {
      subject: resource.subject,
      name: '',
      watch: true,
      ...(revision === undefined ? {} : { revision }),
    });
  }
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
