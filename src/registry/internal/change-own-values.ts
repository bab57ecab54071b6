import { mutate, validate } from '../../admission/admission.ts';
import { equalValues } from '../../scheme/model/equal-values.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import { getMeta, resourceVersionOf } from '../../meta/object-meta.ts';
import { conflict, modifiedMessage, notFound } from '../../status/status-error.ts';
import { encodeObjectParts } from '../../storage/objects/stored-object.ts';
import { objectKey } from '../../storage/port/object-key.ts';
import { StorageError } from '../../storage/port/storage-error.ts';
import { attributesOf } from '../write/admit.ts';
import { copyMetadata, copyObject } from '../definition/resource-definition.ts';
import type { OwnValuesChange } from '../definition/registry.ts';
import type { WriteRequest } from '../definition/stored-resource.ts';
import { atStorageBorder } from '../read/storage-error-status.ts';
import { hasPath } from '../../apply/field-set.ts';
import { decodeManagers, encodeManagers, type Manager, sameManager } from '../../apply/managed-fields.ts';
import type { PathElement } from '../../apply/path-element.ts';

/**
 * Replaces values that the server counts, such as the use of a quota, if the object is still at the
 * resourceVersion of `old`. One transaction, without a read and without the steps of an update that
 * could not find anything: decoding, defaults, validation, comparison of fields. Admission sees the
 * write. Returns the written object; undefined, without a write, if another manager owns one of
 * the values or a plugin changes the object: these need an update. Throws Conflict if the object
 * was written since, and NotFound.
 */
export async function changeOwnValues(request: WriteRequest, change: OwnValuesChange): Promise<JsonObject | undefined> {
  const { resource, scope } = request;
  const wanted = withOwner(request, change);
  if (!wanted) return undefined;
  const pending = admit(request, change.old, wanted);
  if (!(pending instanceof Promise ? await pending : pending)) return undefined;
  const key = objectKey(resource.prefix, resource.storage, scope.namespace, scope.name);
  const encoded = encodeObjectParts(wanted, resource.recent.partsOf(key));
  const revision = Number(resourceVersionOf(change.old));
  const { signal } = scope.cancellation;
  const session = resource.cache.suggest(scope.namespace, scope.name)?.session;
  const result = await atStorageBorder({ subject: resource.subject, name: scope.name }, () =>
    resource.store.update(key, encoded.bytes, revision, { signal, session }).catch(lostSession),
  );
  if (!result.swapped) {
    throw result.current
      ? conflict(resource.subject, scope.name, modifiedMessage)
      : notFound(resource.subject, scope.name);
  }
  const stored = resource.cache.written({ key, value: encoded.bytes, revision: result.revision });
  resource.recent.remember(stored, encoded);
  return resource.recent.treeOf(stored);
}

/** The caller reads the object again, as after any conflict. */
function lostSession(error: unknown): never {
  if (!(error instanceof StorageError) || error.code !== 'SessionEnded') throw error;
  throw new StorageError('Conflict', error.message, { cause: error });
}

/** The object with the time of the write for its manager; undefined if others own a value. */
function withOwner({ resource, scope, options }: WriteRequest, change: OwnValuesChange): JsonObject | undefined {
  const { object, paths } = change;
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

/** Asks the plugins; false if one of them would store something else. Throws a refusal. */
function admit(request: WriteRequest, old: JsonObject, wanted: JsonObject): Promise<boolean> | boolean {
  const { admission } = request.resource;
  const object = copyObject(wanted);
  const attributes = attributesOf(request, 'UPDATE', { name: request.scope.name, object, oldObject: old });
  const isKept = (): Promise<boolean> | boolean => {
    if (!equalValues(object, wanted)) return false;
    return validate(admission, attributes)?.then(() => true) ?? true;
  };
  return mutate(admission, attributes)?.then(isKept) ?? isKept();
}

/** A write by one manager, as an Update. */
interface OwnerWrite extends Pick<Manager, 'name' | 'apiVersion' | 'subresource' | 'time'> {
  /** The paths of the changed values. */
  readonly paths: readonly (readonly PathElement[])[];
}

/**
 * Returns the managers after a write of values that only the writer owns: no ownership changes,
 * only the writer's time. Undefined if that is not the case.
 */
function refreshOwner(list: JsonValue | undefined, write: OwnerWrite): readonly JsonObject[] | undefined {
  const { paths, ...rest } = write;
  const managers = decodeManagers(list);
  const isWriter = (manager: Manager): boolean => sameManager(manager, { ...manager, ...rest, operation: 'Update' });
  const owns = ({ fields }: Manager): boolean => paths.some((path) => hasPath(fields, path));
  const own = managers?.find(isWriter);
  if (!managers || !own || !paths.every((path) => hasPath(own.fields, path))) return undefined;
  if (managers.some((manager) => manager !== own && owns(manager))) return undefined;
  return encodeManagers(managers.map((manager) => (manager === own ? { ...own, time: rest.time } : manager)));
}
