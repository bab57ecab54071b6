import { decodeJson } from '../codec/decode-json.ts';
import { encodeJson } from '../codec/encode-json.ts';
import { isJsonObject, type JsonObject } from '../meta/json-value.ts';
import { objectAt, objectsAt } from '../meta/read-field.ts';

/** Returns the JSON of an object, a list or a Table without the managed fields of its objects. */
export function withoutManagedFields(json: string): string {
  if (!json.includes('"managedFields"')) return json;
  const { value } = decodeJson(Buffer.from(json), { duplicates: false });
  if (!isJsonObject(value)) return json;
  dropManagers(value);
  objectsAt(value, 'items').forEach(dropManagers);
  for (const row of objectsAt(value, 'rows')) dropManagers(objectAt(row, 'object'));
  return encodeJson(value);
}

/** The empty object of a missing field is frozen, and has nothing to drop. */
function dropManagers(object: JsonObject): void {
  const metadata = objectAt(object, 'metadata');
  if (Object.hasOwn(metadata, 'managedFields')) delete metadata['managedFields'];
}
