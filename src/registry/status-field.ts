import { getOwn, type JsonObject, setOwn } from '../meta/json-value.ts';
import { decodeObject } from '../scheme/decode-object.ts';
import type { StoredResource } from './stored-resource.ts';

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
  else object['status'] = structuredClone(status);
}

/**
 * Puts back everything but status and metadata, in the old object's order. The parts are the old object's own: what follows
 * changes no more than metadata and status.
 */
export function keepAllButStatus(object: JsonObject, old: JsonObject): void {
  const { status, metadata = {} } = object;
  if (!hasKeysOf(object, old)) for (const key of Object.keys(object)) delete object[key];
  for (const [key, value] of Object.entries(old)) setOwn(object, key, value);
  object['metadata'] = metadata;
  if (status === undefined) delete object['status'];
  else object['status'] = status;
}

/** Whether nothing has to be taken away or moved, which is what makes an object slow. */
function hasKeysOf(object: JsonObject, old: JsonObject): boolean {
  const keys = Object.keys(old);
  const present = Object.keys(object).filter((key) => key !== 'status' || keys.includes(key));
  return present.length === keys.length && present.every((key, index) => key === keys[index]);
}
