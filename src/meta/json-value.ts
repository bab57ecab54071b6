/**
 * A value as it stands in a JSON document. Integers beyond 2^53 are `bigint`, every other number is `number`, so that
 * nothing a client wrote is rounded. API objects are plain values of this type; behaviour is free functions over
 * (schema, value).
 */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

/** A JSON object. Keys may be any string, `__proto__` included: write unknown keys with `setOwn`. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Whether a value is a JSON object, not an array and not null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Writes an own property whatever its name, so that a key `__proto__` from a client stays data and never reaches a
 * prototype (CWE-1321).
 */
export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

/** Reads an own property; `undefined` for anything inherited. */
export function getOwn(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A deep copy. A structured clone of a small value costs some microseconds more. */
export function copyJson(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyJson);
  return isJsonObject(value) ? copyJsonObject(value) : value;
}

/** A deep copy of an object. */
export function copyJsonObject(object: JsonObject): JsonObject {
  const copy = { ...object };
  for (const [key, value] of Object.entries(copy)) if (typeof value === 'object') setOwn(copy, key, copyJson(value));
  return copy;
}
