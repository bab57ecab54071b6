import { deletionTimestampOf } from '../../meta/object-meta.ts';
import type { ResourceRequest } from '../definition/stored-resource.ts';
import { atStorageBorder, isUnreadable } from './storage-error-status.ts';

/**
 * Reports whether the namespace of a request is being deleted, by its newest state: another server
 * may have accepted the deletion.
 */
export async function isDeletedNamespace({ resource, scope }: ResourceRequest): Promise<boolean> {
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
