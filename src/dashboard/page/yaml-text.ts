import { parse, stringify } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';

/** An object as YAML; without its managed fields, which are shown by manager. */
export function yamlOf(object: JsonObject): string {
  return stringify(withoutManagers(object), { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Reads an object from YAML. Throws an error with the line for a text that is none. */
export function readYaml(text: string): JsonObject {
  const value = readYamlValue(text);
  if (!isJsonObject(value)) throw new Error('this is not an object');
  return value;
}

/** Reads a value from YAML; integers beyond 2^53 become bigint. Throws as `readYaml` does. */
export function readYamlValue(text: string): JsonValue {
  // Without tags for other types, YAML values are JSON values.
  return withNumbers(parse(text, { maxAliasCount: 100, uniqueKeys: true, intAsBigInt: true }) as JsonValue);
}

/** A value whose integers are numbers where these are exact. */
function withNumbers(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const [name, each] of Object.entries(value)) setOwn(copy, name, withNumbers(each));
  return copy;
}

/** An object without its managed fields. */
export function withoutManagers(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return object;
  const { managedFields: _, ...kept } = metadata;
  return { ...object, metadata: kept };
}
