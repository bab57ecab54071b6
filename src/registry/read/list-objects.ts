import { type ResourceRequest, versionOf } from '../definition/stored-resource.ts';
import { badRequest } from '../../status/status-error.ts';
import {
  type ContinuePosition,
  decodeContinueToken,
  encodeContinueToken,
  newestRevision,
} from '../../storage/objects/continue-token.ts';
import { objectsPrefix } from '../../storage/port/object-key.ts';
import type { CacheList, ReadAt } from '../../storage/cache/resource-cache.ts';
import { StorageError } from '../../storage/port/storage-error.ts';
import { encodeAll } from '../versions/encode-version.ts';
import { readContext } from './get-object.ts';
import type { ListQuery, VersionedList } from '../definition/registry.ts';
import { atStorageBorder, isUnreadable } from './storage-error-status.ts';
import { unreadableObjects, unreadableText } from './unreadable-objects.ts';
import { deletionTimestampOf } from '../../meta/object-meta.ts';

/**
 * Lists a collection, or one page of it, without the objects that cannot be read. Throws 500 in
 * place of an empty list of a namespace that is being deleted: it would show the controller that
 * nothing is left, and the namespace would go without them.
 */
export async function listObjects(request: ResourceRequest, query: ListQuery): Promise<VersionedList> {
  const { resource, scope } = request;
  const version = versionOf(resource, scope.version);
  const page = await listPage(request, query);
  const { revision, continueToken, remaining } = page;
  const unreadable = page.unreadable.length > 0 ? unreadableObjects(page.unreadable, resource) : undefined;
  const seemsEmpty =
    page.objects.length === 0 && continueToken === '' && !query.filter && query.fieldName === undefined;
  if (unreadable && seemsEmpty && (await isDeletedNamespace(request))) throw unreadable;
  const place = { revision, continueToken, remaining, unreadable };
  if (version.stored) return { ...place, items: page.objects, json: page.json, joined: page.joined };
  return { ...place, items: await encodeAll(version, page.objects) };
}

/** A page of cached objects; `continueToken` is '' on the last page. */
export interface ObjectPage extends CacheList {
  readonly continueToken: string;
}

/** Reads a page of cached objects in the storage version. */
export async function listPage(request: ResourceRequest, query: ListQuery): Promise<ObjectPage> {
  const { resource, scope } = request;
  const prefix = objectsPrefix(resource.prefix, resource.storage, scope.namespace);
  const position = query.continueToken ? positionOf(query.continueToken, prefix) : undefined;
  const at: ReadAt = position ? readAtOf(position) : query.at;
  const fresh = position && encodeContinueToken({ ...position, revision: newestRevision }, prefix);
  const context = { ...readContext(request, at), ...(fresh ? { continueToken: fresh } : {}) };
  const page = await atStorageBorder(context, () =>
    resource.cache.list(
      {
        namespace: scope.namespace,
        ...(query.fieldName === undefined ? {} : { name: query.fieldName }),
        ...(query.filter ? { filter: query.filter } : {}),
        ...(query.terms ? { terms: query.terms } : {}),
        at,
        limit: query.limit,
        ...(position ? { afterKey: position.afterKey } : {}),
      },
      scope.cancellation.signal,
    ),
  );
  const { lastKey, revision, unreadable } = page;
  if (unreadable.length > 0) scope.warn(`the list lacks ${unreadableText(unreadable, resource)}`);
  const continueToken = lastKey === undefined ? '' : encodeContinueToken({ revision, afterKey: lastKey }, prefix);
  return { ...page, continueToken };
}

function positionOf(token: string, prefix: string): ContinuePosition {
  try {
    return decodeContinueToken(token, prefix);
  } catch (error) {
    if (error instanceof StorageError) throw badRequest(error.message);
    throw error;
  }
}

function readAtOf({ revision }: ContinuePosition): ReadAt {
  return revision === newestRevision ? { kind: 'latest' } : { kind: 'exact', revision };
}

/**
 * Reports whether the namespace of a request is being deleted, by its newest state: another server
 * may have accepted the deletion.
 */
async function isDeletedNamespace({ resource, scope }: ResourceRequest): Promise<boolean> {
  const namespaces = resource.stored('', 'namespaces');
  const { namespace: name } = scope;
  if (!namespaces || name === '') return false;
  const { cache, subject } = namespaces;
  try {
    const { object } = await atStorageBorder({ subject, name }, () => cache.get('', name, { kind: 'latest' }));
    return object !== undefined && deletionTimestampOf(object.decode()) !== '';
  } catch (error) {
    // The content of a namespace that cannot be read itself is not deleted.
    if (isUnreadable(error)) return false;
    throw error;
  }
}
