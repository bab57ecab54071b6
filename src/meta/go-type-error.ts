import { isJsonObject, type JsonValue } from './json-value.ts';

/** Returns the message of Go's JSON parser for a `kind` or `apiVersion` that is no text. */
export function goTypeError(field: string, value: JsonValue): string {
  return `json: cannot unmarshal ${jsonTypeName(value)} into Go struct field .${field} of type string`;
}

/** Returns the name that Go's JSON parser has for the type of a value. */
export function jsonTypeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'object';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'number';
}
