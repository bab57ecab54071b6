import { copyJson, copyJsonObject, getOwn, isJsonObject, type JsonObject } from '../meta/json-value.ts';
import { applyDefaults } from '../scheme/apply-defaults.ts';
import { decodeObject } from '../scheme/decode-object.ts';
import type { StoredResource } from './stored-resource.ts';
import type { StrategyContext } from './strategy-context.ts';

/** Empties the status of a new object: where status is a sub-resource, it is not written with the rest. */
export function resetStatus(resource: StoredResource, object: JsonObject): void {
  const field = resource.storageVersion.schema.fields.get('status');
  if (!resource.hasStatus || resource.strategy.statusOnCreate || !field) return;
  if (field.alwaysPresent && field.schema.type === 'object') object['status'] = decodeObject(field.schema, {}).value;
  else delete object['status'];
}

/** Puts the old status back, which a write to the object itself does not change. */
export function keepStatus(resource: StoredResource, object: JsonObject, old: JsonObject): void {
  if (!resource.hasStatus) return;
  const status = getOwn(old, 'status');
  if (status === undefined) delete object['status'];
  else object['status'] = copyJson(status);
}

/**
 * The object that a write to the status leads to: status and metadata as they were written, all else the old object's own, in its
 * order. What follows changes no more than metadata and status.
 */
export function withStatusOf({ status, metadata = {} }: JsonObject, old: JsonObject): JsonObject {
  const object: JsonObject = { ...old, metadata };
  if (status === undefined) delete object['status'];
  else object['status'] = status;
  return object;
}

/** Metadata that may be changed in place, but for its list of managers, which is only ever replaced. */
export function copyOfMetadata({ managedFields, ...metadata }: JsonObject): JsonObject {
  const copy = copyJsonObject(metadata);
  if (managedFields !== undefined) copy['managedFields'] = managedFields;
  return copy;
}

/** Fills in what a writer of the status may leave out of it, in place. */
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
