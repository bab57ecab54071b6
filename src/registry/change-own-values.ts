import { mutate, validate } from '../admission/admission.ts';
import { equalValues } from '../apply/equal-values.ts';
import type { PathElement } from '../apply/path-element.ts';
import { refreshOwner } from '../apply/refresh-owner.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { getMeta, resourceVersionOf } from '../meta/object-meta.ts';
import { conflict, modifiedMessage, notFound } from '../status/status-error.ts';
import type { CachedObject } from '../storage/objects/cached-object.ts';
import { guaranteedUpdate, type WriteDecision } from '../storage/objects/guaranteed-update.ts';
import { objectKey } from '../storage/port/object-key.ts';
import { attributesOf } from './admit.ts';
import { copyMetadata, copyObject } from './copy-object.ts';
import type { WriteRequest } from './resource-request.ts';
import { atStorageBorder } from './storage-error-status.ts';

/**
 * Replaces values that the server counts, such as the use of a quota, at the resourceVersion of the
 * object. `object` is in the storage version and differs from the stored object at `paths` only,
 * by valid values. Without the steps of an update that could not find anything: decoding, defaults,
 * validation, comparison of fields. Admission sees the write. Undefined, without a write, if
 * another manager owns one of the values or a plugin changes the object: these need an update.
 * Throws Conflict if the object was written since, and NotFound.
 */
export async function changeOwnValues(
  request: WriteRequest,
  object: JsonObject,
  paths: readonly (readonly PathElement[])[],
): Promise<JsonObject | undefined> {
  const { resource, scope } = request;
  const changed = withOwner(request, object, paths);
  if (!changed) return undefined;
  const { action, object: written } = await atStorageBorder({ subject: resource.subject, name: scope.name }, () =>
    guaranteedUpdate({
      store: resource.store,
      key: objectKey(resource.prefix, resource.storage, scope.namespace, scope.name),
      context: { namespace: scope.namespace, name: scope.name, fieldsOf: resource.strategy.fieldsOf },
      suggestion: resource.cache.suggest(scope.namespace, scope.name),
      transform: (current) => decide(request, changed, current),
      written: (stored) => resource.cache.written(stored),
      recent: resource.recent,
      signal: scope.cancellation.signal,
    }),
  );
  return action === 'updated' && written ? resource.recent.treeOf(written) : undefined;
}

/** The object with the time of the write for its manager; undefined if others own a value. */
function withOwner(
  { resource, scope, options }: WriteRequest,
  object: JsonObject,
  paths: readonly (readonly PathElement[])[],
): JsonObject | undefined {
  const managers = refreshOwner(getMeta(object, 'managedFields'), {
    name: options.fieldManager,
    apiVersion: resource.storageVersion.apiVersion,
    subresource: scope.subresource,
    time: resource.runtime.now(),
    paths,
  });
  const metadata = object['metadata'] as JsonObject;
  return managers && { ...object, metadata: { ...copyMetadata(metadata), managedFields: [...managers] } };
}

/** Decides on the current object; keeps it if admission would store something else. */
async function decide(
  request: WriteRequest,
  wanted: JsonObject,
  current: CachedObject | undefined,
): Promise<WriteDecision> {
  const { resource, scope } = request;
  if (!current) throw notFound(resource.subject, scope.name);
  if (String(current.revision) !== resourceVersionOf(wanted)) {
    throw conflict(resource.subject, scope.name, modifiedMessage);
  }
  const object = copyObject(wanted);
  const oldObject = resource.recent.treeOf(current);
  const attributes = attributesOf(request, 'UPDATE', { name: scope.name, object, oldObject });
  await mutate(resource.admission, attributes);
  if (!equalValues(object, wanted)) return { action: 'keep' };
  await validate(resource.admission, attributes);
  return { action: 'put', value: wanted };
}
