import { type DeleteRequest, type ResourceRequest, versionOf } from '../definition/stored-resource.ts';
import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { StatusError } from '../../status/status-error.ts';
import type { CachedObject } from '../../storage/objects/cached-object.ts';
import { deleteObject, warnOfDependents } from './delete-object.ts';
import { encodeAll } from '../versions/encode-version.ts';
import { listPage, type ObjectPage } from '../read/list-objects.ts';
import type { ListQuery, PagedList, VersionedList, VersionedObject } from '../definition/registry.ts';
import { unreadableObjects } from '../read/unreadable-objects.ts';

/** Objects per page; a page is deleted before the next one is read. */
const pageSize = 500;

/**
 * Deletes the selected objects and returns them as they were. All pages are read at one revision:
 * objects created after it stay, even if they reuse the name of a listed one. Objects deleted by
 * others meanwhile are no error. Only the first page of the response is kept in memory; the other
 * pages are read again, at the same revision, while the response is sent. Objects that cannot be
 * read are an error, after all others were deleted: a controller that empties a namespace must not
 * take it for empty.
 */
export async function deleteCollection(request: DeleteRequest, query: ListQuery): Promise<VersionedList | PagedList> {
  const { resource, scope } = request;
  warnOfDependents(request);
  // Each parallel delete adds a listener to the signal.
  setMaxListeners(0, scope.cancellation.signal);
  let first: ObjectPage | undefined;
  let last: ObjectPage | undefined;
  const unreadable: string[] = [];
  for await (const page of pagesOf(request, query)) {
    await deleteAll(request, page.objects);
    unreadable.push(...page.unreadable);
    first ??= page;
    last = page;
  }
  if (unreadable.length > 0) throw unreadableObjects(unreadable, resource);
  if (!first || !last) throw new TypeError('a query has a first page');
  const { revision, continueToken, remaining } = last;
  const list = { revision, continueToken, remaining };
  if (first === last) return { ...list, items: await encodeAll(versionOf(resource, scope.version), first.objects) };
  return { ...list, pages: encodedPages(request, pagesOf(request, query, first)) };
}

/**
 * The pages of a query up to its limit, all at one revision. `first` is the first page if it has
 * been read already.
 */
async function* pagesOf(
  request: ResourceRequest,
  query: ListQuery,
  first?: ObjectPage,
): AsyncGenerator<ObjectPage, void, undefined> {
  let left = query.limit === 0 ? Number.POSITIVE_INFINITY : query.limit;
  let next = query;
  for (let known = first; ; known = undefined) {
    const page = known ?? (await listPage(request, { ...next, limit: Math.min(left, pageSize) }));
    yield page;
    left -= page.objects.length;
    if (page.continueToken === '' || left <= 0) return;
    next = { ...query, continueToken: page.continueToken };
  }
}

async function* encodedPages(
  request: ResourceRequest,
  pages: AsyncIterable<ObjectPage>,
): AsyncGenerator<readonly VersionedObject[], void, undefined> {
  const { resource, scope } = request;
  const version = versionOf(resource, scope.version);
  for await (const { objects } of pages) yield await encodeAll(version, objects);
}

async function deleteAll(request: DeleteRequest, objects: readonly CachedObject[]): Promise<void> {
  const { scope } = request;
  const queue = objects.values();
  let failed = false;
  let start = performance.now();
  const work = async (): Promise<void> => {
    for (const object of queue) {
      // The first failure ends the request, so no further delete is started.
      if (failed) return;
      try {
        scope.cancellation.signal.throwIfAborted();
        await deleteOne(request, object);
        const rest = yieldIfLong(start);
        if (!rest) continue;
        await rest;
        start = performance.now();
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(request.resource.parallelDeletes, objects.length) }, work));
}

async function deleteOne(request: DeleteRequest, object: CachedObject): Promise<void> {
  const { namespace, name } = object;
  try {
    await deleteObject({ ...request, scope: { ...request.scope, namespace, name } }, object);
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== 'NotFound') throw error;
  }
}
