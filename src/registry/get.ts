import { notFound } from '../status/status-error.ts';
import type { CachedObject } from '../storage/cached-object.ts';
import type { ReadAt } from '../storage/resource-cache.ts';
import { encodeCached, encodeObject } from './encode-version.ts';
import type { RequestScope, VersionedObject } from './registry.ts';
import { statusOfStorageError, type StorageErrorContext } from './storage-status.ts';
import { type StoredResource, versionOf } from './stored-resource.ts';
import { missingForRead, viewOf } from './subresource-view.ts';

/** Reads one object; 404 where there is none. */
export async function getObject(resource: StoredResource, scope: RequestScope, at: ReadAt): Promise<VersionedObject> {
  const known = peekObject(resource, scope, at);
  if (known) return known;
  try {
    // One object is found so fast that a client who goes away meanwhile is not worth a signal.
    const { object } = await resource.cache.get(scope.namespace, scope.name, at);
    if (object) return shown(resource, scope, object);
  } catch (error) {
    throw statusOfStorageError(error, readContext(resource, scope, at));
  }
  throw notFound(missingForRead(resource, scope), scope.name);
}

/** An object that any state will do of, as last seen here; undefined where reading could tell more. */
export function peekObject(resource: StoredResource, scope: RequestScope, at: ReadAt): VersionedObject | undefined {
  const seen = at.kind === 'any' ? resource.cache.peek(scope.namespace, scope.name) : undefined;
  return seen && shown(resource, scope, seen);
}

function shown(resource: StoredResource, scope: RequestScope, object: CachedObject): VersionedObject {
  const view = viewOf(resource, scope);
  if (view) return encodeObject(view.version, view.show(object.decode()));
  return encodeCached(versionOf(resource, scope.version), object);
}

/** What errors of a read speak of. */
export function readContext(resource: StoredResource, scope: RequestScope, at: ReadAt): StorageErrorContext {
  return {
    subject: resource.subject,
    name: scope.name,
    ...('revision' in at ? { revision: at.revision } : {}),
  };
}
