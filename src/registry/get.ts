import { notFound } from '../status/status-error.ts';
import type { ReadAt } from '../storage/resource-cache.ts';
import { encodeCached, encodeObject } from './encode-version.ts';
import type { RequestScope, VersionedObject } from './registry.ts';
import { atStorageBorder, type StorageErrorContext } from './storage-status.ts';
import { type StoredResource, versionOf } from './stored-resource.ts';
import { viewOf } from './subresource-view.ts';

/** Reads one object; 404 where there is none. */
export async function getObject(resource: StoredResource, scope: RequestScope, at: ReadAt): Promise<VersionedObject> {
  const version = versionOf(resource, scope.version);
  const seen = at.kind === 'any' ? resource.cache.peek(scope.namespace, scope.name) : undefined;
  if (seen) return encodeCached(version, seen);
  const view = viewOf(resource, scope);
  // One object is found so fast that a client who goes away meanwhile is not worth a signal.
  const { object } = await atStorageBorder(readContext(resource, scope, at), () =>
    resource.cache.get(scope.namespace, scope.name, at),
  );
  if (!object) throw notFound(resource.subject, scope.name);
  return view ? encodeObject(view.version, view.read(object.decode())) : encodeCached(version, object);
}

/** What errors of a read speak of. */
export function readContext(resource: StoredResource, scope: RequestScope, at: ReadAt): StorageErrorContext {
  return {
    subject: resource.subject,
    name: scope.name,
    ...('revision' in at ? { revision: at.revision } : {}),
  };
}
