import { qualified, type StatusCause, StatusError } from '../../status/status-error.ts';
import { objectsPrefix } from '../../storage/port/object-key.ts';
import { StorageError } from '../../storage/port/storage-error.ts';
import type { StoredResource } from '../definition/stored-resource.ts';

/** How many keys a message about damaged objects names. */
const namedKeys = 10;

/** Names objects whose stored values cannot be read, without the prefix that their keys share. */
export function unreadableText(keys: readonly string[], { prefix, storage, subject }: StoredResource): string {
  const start = objectsPrefix(prefix, storage, '').length;
  const named = keys.slice(0, namedKeys).map((key) => key.slice(start));
  const more = keys.length > named.length ? ', ...' : '';
  return `${keys.length} object(s) of ${qualified(subject)} whose stored values cannot be read: ${named.join(', ')}${more}`;
}

function causeOf(key: string): StatusCause {
  return { reason: 'UnexpectedServerResponse', message: 'it cannot be read', field: key };
}

/** The 500 for a request that is not fulfilled because of damaged objects of a collection. */
export function unreadableObjects(keys: readonly string[], resource: StoredResource): StatusError {
  const [key = ''] = keys;
  const message = unreadableText(keys, resource);
  return new StatusError('InternalError', `Internal error occurred: StorageError: corrupt object: ${message}`, {
    details: { causes: keys.slice(0, namedKeys).map(causeOf) },
    cause: new StorageError('Corrupt', message, { key }),
  });
}
