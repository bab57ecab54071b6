import { isJsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { Schema } from '../../../src/scheme/model/schema.ts';
import { valueAt } from '../json-paths.ts';

/** Whether a list has an item without its key: the reference then tracks no field of the object. */
export function hasUnkeyedItems(value: JsonValue | undefined, schema: Schema): boolean {
  if (schema.type === 'list' && Array.isArray(value)) {
    const fields = schema.items.type === 'object' ? schema.items.fields : undefined;
    const keys = schema.mapKeys.filter((key) => fields?.get(key)?.default === undefined);
    // Many keys are left out where they are empty texts.
    const isUnkeyed = value.some((item) => keys.some((key) => isLeftOut(valueAt(item, [key]))));
    return (schema.listType === 'map' && isUnkeyed) || value.some((item) => hasUnkeyedItems(item, schema.items));
  }
  if (schema.type !== 'object' || !isJsonObject(value)) return false;
  return Object.entries(value).some(([name, part]) => {
    const field = schema.fields.get(name);
    return field !== undefined && hasUnkeyedItems(part, field.schema);
  });
}

function isLeftOut(key: JsonValue | undefined): boolean {
  return key === undefined || key === '';
}

/** Fields of which one tells the items of a list apart. */
const keys = ['name', 'containerPort', 'port', 'type', 'ip', 'mountPath', 'devicePath', 'uid', 'topologyKey', 'key'];

/** Whether some list has items that look like one item twice. */
export function hasDoubles(value: JsonValue): boolean {
  if (Array.isArray(value)) return isDoubled(value) || value.some(hasDoubles);
  return (
    isJsonObject(value) && Object.entries(value).some(([key, part]) => key !== 'managedFields' && hasDoubles(part))
  );
}

function isDoubled(items: readonly JsonValue[]): boolean {
  const objects = items.filter(isJsonObject);
  if (objects.length === 0) return new Set(items).size < items.length;
  return keys.some((key) => new Set(objects.map((item) => item[key])).size < objects.length);
}
