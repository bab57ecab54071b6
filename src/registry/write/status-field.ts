import { copyJson, getOwn, isJsonObject, type JsonObject, setOwn } from '../../meta/json-value.ts';
import { applyDefaults } from '../../scheme/apply-defaults.ts';
import { decodeObject } from '../../scheme/decode-object.ts';
import type { WriteOptions } from '../definition/registry.ts';
import { type ResourceRequest, type StoredResource, versionOf } from '../definition/stored-resource.ts';
import type { StrategyContext } from '../definition/strategy.ts';

/**
 * Resets the status of a new object if status is a sub-resource, unless the options keep it.
 */
export function resetStatus(
  { resource, scope, options }: ResourceRequest & { readonly options: Pick<WriteOptions, 'keepStatus'> },
  object: JsonObject,
): void {
  if (options.keepStatus) return;
  const field = resource.storageVersion.schema.fields.get('status');
  if (!versionOf(resource, scope.version).hasStatus || resource.strategy.statusOnCreate) return;
  // Without such a field, a schema that preserves unknown fields has one all the same.
  if (field?.alwaysPresent && field.schema.type === 'object') object['status'] = decodeObject(field.schema, {}).value;
  else delete object['status'];
}

/**
 * Sets the default status of a custom object that is created without one, so that all readers see
 * the same.
 */
export function fillNewStatus({ storageVersion }: StoredResource, object: JsonObject): void {
  const status = storageVersion.schema.structural?.properties.get('status');
  if (status?.default !== undefined && getOwn(object, 'status') === undefined) {
    applyDefaults(storageVersion.schema, object);
  }
}

/** Restores the old status, which a write of the object itself cannot change. */
export function keepStatus({ resource, scope }: ResourceRequest, object: JsonObject, old: JsonObject): void {
  if (!versionOf(resource, scope.version).hasStatus) return;
  const status = getOwn(old, 'status');
  if (status === undefined) delete object['status'];
  else object['status'] = copyJson(status);
}

/**
 * The object after a status write: its status and metadata as written, all other fields from the
 * old object, in their order. Shares values with `old`: later steps may only change metadata and
 * status.
 */
export function withStatusOf({ status, metadata = {} }: JsonObject, old: JsonObject): JsonObject {
  const object: JsonObject = { ...old, metadata };
  if (status === undefined) delete object['status'];
  else object['status'] = status;
  return object;
}

/**
 * Gives an object all fields of another one besides metadata and status, in place. Shares values
 * with `other`.
 */
export function replaceAllButStatus(object: JsonObject, other: JsonObject): void {
  for (const field of Object.keys(object))
    if (!isStatusPart(field) && !Object.hasOwn(other, field)) delete object[field];
  for (const [field, value] of Object.entries(other)) if (!isStatusPart(field)) setOwn(object, field, value);
}

function isStatusPart(field: string): boolean {
  return field === 'metadata' || field === 'status';
}

/** Applies the defaults of the status, in place. */
export function fillStatusDefaults(
  { storageVersion, strategy }: StoredResource,
  object: JsonObject,
  context: StrategyContext,
): void {
  const schema = storageVersion.schema.fields.get('status')?.schema;
  const status = getOwn(object, 'status');
  if (schema?.type === 'object' && isJsonObject(status)) applyDefaults(schema, status);
  strategy.subresources?.['status']?.default?.(object, context);
}
