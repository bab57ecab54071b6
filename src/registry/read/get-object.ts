import { type ResourceRequest, versionOf } from '../definition/stored-resource.ts';
import { notFound } from '../../status/status-error.ts';
import type { CachedObject } from '../../storage/objects/cached-object.ts';
import type { ReadAt } from '../../storage/cache/resource-cache.ts';
import { encodeCached, encodeObject } from '../versions/encode-version.ts';
import type { VersionedObject } from '../definition/registry.ts';
import { statusOfStorageError, type StorageErrorContext } from './storage-error-status.ts';
import { missingForRead, viewOf } from '../definition/subresource-view.ts';

/** Reads one object; throws 404 if it does not exist. */
export async function getObject(request: ResourceRequest, at: ReadAt): Promise<VersionedObject> {
  const { resource, scope } = request;
  const known = peekObject(request, at);
  if (known) return known;
  try {
    // No signal: a get ends too soon for cancellation to be of use.
    const { object } = await resource.cache.get(scope.namespace, scope.name, at);
    if (object) return shown(request, object);
  } catch (error) {
    throw statusOfStorageError(error, readContext(request, at));
  }
  throw notFound(missingForRead(request), scope.name);
}

/**
 * The cached object for a read of any revision; undefined if the read has to go through
 * `getObject`.
 */
export function peekObject(request: ResourceRequest, at: ReadAt): VersionedObject | undefined {
  const { resource, scope } = request;
  const seen = at.kind === 'any' ? resource.cache.peek(scope.namespace, scope.name) : undefined;
  return seen && shown(request, seen);
}

function shown(request: ResourceRequest, object: CachedObject): VersionedObject {
  const { resource, scope } = request;
  const view = viewOf(request);
  if (view) return encodeObject(view.version, view.show(object.decode()));
  return encodeCached(versionOf(resource, scope.version), object);
}

/** The context for errors of a read: subject, name and revision. */
export function readContext(request: ResourceRequest, at: ReadAt): StorageErrorContext {
  const { resource, scope } = request;
  return {
    subject: resource.subject,
    name: scope.name,
    ...('revision' in at ? { revision: at.revision } : {}),
  };
}
