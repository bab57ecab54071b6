import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';
import { metadataOf } from '../../meta/object-meta.ts';
import { objectsAt, sameValue } from '../../meta/read-field.ts';

/** The part of an object that a manager applied in the server; undefined if it did not. */
export function appliedFields(object: JsonObject, manager: string): JsonObject | undefined {
  const entries = objectsAt(metadataOf(object) ?? {}, 'managedFields');
  const own = entries.find((entry) => entry.manager === manager && entry.operation === 'Apply' && !entry.subresource);
  if (!isJsonObject(own?.fieldsV1)) return undefined;
  const { apiVersion = null, kind = null } = object;
  const { name = null, namespace } = metadataOf(object) ?? {};
  const applied: JsonObject = { apiVersion, kind, ...partOf(object, own.fieldsV1) };
  const metadata = isJsonObject(applied.metadata) ? applied.metadata : {};
  return { ...applied, metadata: { ...metadata, name, ...(namespace === undefined ? {} : { namespace }) } };
}

/** The fields of an object that a set in the form of `fieldsV1` has. */
function partOf(object: JsonObject, fields: JsonObject): JsonObject {
  const part: JsonObject = {};
  for (const [key, inner] of Object.entries(fields)) {
    const name = key.slice(2);
    if (!key.startsWith('f:') || !Object.hasOwn(object, name) || !isJsonObject(inner)) continue;
    setOwn(part, name, valueOf(object[name] ?? null, inner));
  }
  return part;
}

function valueOf(value: JsonValue, fields: JsonObject): JsonValue {
  const isWhole = Object.keys(fields).every((key) => key === '.');
  if (isWhole) return isJsonObject(value) && Object.hasOwn(fields, '.') ? {} : value;
  if (isJsonObject(value)) return partOf(value, fields);
  return Array.isArray(value) ? itemsOf(value, fields) : value;
}

/** The items of a list that a set has: by their keys (`k:`), values (`v:`) or places (`i:`). */
function itemsOf(list: readonly JsonValue[], fields: JsonObject): JsonValue[] {
  const sets = Object.entries(fields).filter(([key]) => key !== '.');
  return list.flatMap((item, index) => {
    const set = sets.find(([key]) => isOf(item, index, key));
    if (!set) return [];
    const [key, inner] = set;
    const keys = key.startsWith('k:') ? parsed(key) : {};
    const part = isJsonObject(inner) ? valueOf(item, inner) : item;
    return [isJsonObject(part) && isJsonObject(keys) ? { ...keys, ...part } : part];
  });
}

function isOf(item: JsonValue, index: number, key: string): boolean {
  if (key.startsWith('i:')) return index === Number(key.slice(2));
  const wanted = parsed(key);
  if (key.startsWith('v:')) return sameValue(item, wanted);
  return (
    isJsonObject(item) &&
    isJsonObject(wanted) &&
    Object.entries(wanted).every(([name, value]) => sameValue(item[name], value))
  );
}

function parsed(key: string): JsonValue {
  // The server writes the JSON of a value after the two letters.
  return JSON.parse(key.slice(2)) as JsonValue;
}
