import { setMaxListeners } from 'node:events';
import { StatusError } from '../status/status-error.ts';
import type { CachedObject } from '../storage/cached-object.ts';
import { deleteObject } from './delete.ts';
import { encodeAll } from './encode-version.ts';
import { listPage, type ObjectPage } from './list.ts';
import type { DeleteOptions, ListQuery, RequestScope, VersionedList } from './registry.ts';
import { type StoredResource, versionOf } from './stored-resource.ts';

/** Objects that are looked at together. What is deleted of a page is on its way before the next page is read. */
const pageSize = 500;

/** Deletes under way at one time: enough to keep the store busy, few enough to leave room for other requests. */
const parallelDeletes = 10;

/**
 * Deletes what a query selects and answers the objects as they were. The pages are of one revision, so that objects created
 * meanwhile stay. Objects that others delete first are no error.
 */
export async function deleteCollection(
  resource: StoredResource,
  scope: RequestScope,
  query: ListQuery,
  options: DeleteOptions,
): Promise<VersionedList> {
  // Every delete under way listens for the end of the request.
  setMaxListeners(0, scope.cancellation.signal);
  const version = versionOf(resource, scope.version);
  const objects: CachedObject[] = [];
  let left = query.limit === 0 ? Number.POSITIVE_INFINITY : query.limit;
  let page: ObjectPage | undefined;
  do {
    const continueToken = page?.continueToken ?? query.continueToken;
    page = await listPage(resource, scope, {
      ...query,
      limit: Math.min(left, pageSize),
      ...(continueToken ? { continueToken } : {}),
    });
    await deleteAll(resource, scope, options, page.objects);
    for (const object of page.objects) objects.push(object);
    left -= page.objects.length;
  } while (page.continueToken !== '' && left > 0);
  return {
    revision: page.revision,
    items: await encodeAll(version, objects),
    continueToken: page.continueToken,
    remaining: page.remaining,
  };
}

async function deleteAll(
  resource: StoredResource,
  scope: RequestScope,
  options: DeleteOptions,
  objects: readonly CachedObject[],
): Promise<void> {
  const queue = objects.values();
  let failed = false;
  const work = async (): Promise<void> => {
    for (const object of queue) {
      // The answer is on its way as soon as one delete fails; nothing should go on behind it.
      if (failed) return;
      try {
        scope.cancellation.signal.throwIfAborted();
        await deleteOne(resource, scope, options, object);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelDeletes, objects.length) }, work));
}

async function deleteOne(
  resource: StoredResource,
  scope: RequestScope,
  options: DeleteOptions,
  { namespace, name }: CachedObject,
): Promise<void> {
  try {
    await deleteObject(resource, { ...scope, namespace, name }, options);
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== 'NotFound') throw error;
  }
}
