import { mutate, validate } from '../../admission/admission.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { invalid } from '../../status/field-error.ts';
import { forbiddenObject, invalidObject, notFound } from '../../status/status-error.ts';
import { cachedObject } from '../../storage/objects/resource-reading.ts';
import { objectKey } from '../../storage/port/object-key.ts';
import type { StoredValue } from '../../storage/port/object-store.ts';
import { StorageError } from '../../storage/port/storage-error.ts';
import { attributesOf } from './admit.ts';
import { encodeObject } from '../versions/encode-version.ts';
import { readContextOf } from '../versions/read-context-of.ts';
import { refusalOf } from './refusal-of.ts';
import type { DeleteResult } from '../definition/registry.ts';
import { type DeleteRequest, versionOf } from '../definition/stored-resource.ts';
import { atStorageBorder } from '../read/storage-error-status.ts';

/** The right that a delete of a damaged object needs besides `delete`. */
const unsafeDelete = 'unsafe-delete-ignore-read-errors';
/** Writes of others between the read and the delete. */
const attempts = 5;

/**
 * Deletes an object whose stored value cannot be read, without regard to finalizers, which cannot
 * be read either (`ignoreStoreReadErrorWithClusterBreakingPotential`). Throws Forbidden without the
 * right for it, and Invalid for an object that can be read.
 */
export async function deleteDamaged(request: DeleteRequest): Promise<DeleteResult> {
  const { resource, scope } = request;
  const refusal = await refusalOf(request, unsafeDelete);
  if (refusal !== undefined) {
    const because = refusal === '' ? '' : `, reason: ${refusal}`;
    throw forbiddenObject(resource.subject, scope.name, `not permitted to do "${unsafeDelete}"${because}`);
  }
  const version = versionOf(resource, scope.version);
  const { namespace, name } = scope;
  const metadata = { name, ...(namespace === '' ? {} : { namespace }) };
  const object: JsonObject = { kind: version.kind, apiVersion: version.apiVersion, metadata };
  const attributes = attributesOf(request, 'DELETE', { name, object: undefined, oldObject: object });
  await mutate(resource.admission, attributes);
  await validate(resource.admission, attributes);
  await atStorageBorder({ subject: resource.subject, name }, () => removeDamaged(request));
  return { deleted: true, uid: '', object: encodeObject(version, object), asObject: false };
}

async function removeDamaged(request: DeleteRequest): Promise<void> {
  const { resource, scope } = request;
  const key = objectKey(resource.prefix, resource.storage, scope.namespace, scope.name);
  const { signal } = scope.cancellation;
  let { current, session } = await resource.rawStore.get(key, { signal });
  for (let left = attempts; left > 0; left--) {
    if (!current) throw notFound(resource.subject, scope.name);
    if (!isDamaged(request, current)) throw readable(request);
    const result = await resource.rawStore.delete(key, current.revision, { signal, session });
    if (result.swapped) return;
    ({ current, session } = result);
  }
  throw new StorageError('Conflict', `the value at ${key} changes faster than it can be deleted`, { key });
}

function isDamaged({ resource, scope }: DeleteRequest, stored: StoredValue): boolean {
  try {
    cachedObject(stored, readContextOf(resource, scope)).decode();
    return false;
  } catch (error) {
    if (error instanceof StorageError && error.code === 'Corrupt') return true;
    throw error;
  }
}

function readable({ resource, scope }: DeleteRequest): Error {
  const text = 'is exclusively used to delete corrupt object(s), try again by removing this option';
  return invalidObject(resource.subject, scope.name, [
    invalid('ignoreStoreReadErrorWithClusterBreakingPotential', true, text),
  ]);
}
