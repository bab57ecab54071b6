import { isJsonObject, type JsonObject, type JsonValue, setOwn } from './json-value.ts';

/**
 * Copies a value with the keys of all its objects in the order of their code units, as Go's encoder
 * writes maps. Clients compare such texts byte by byte.
 */
export function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).toSorted()) setOwn(sorted, key, sortKeys(value[key] ?? null));
  return sorted;
}
