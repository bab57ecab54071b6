import { isJsonObject, type JsonValue } from './json-value.ts';

/**
 * Formats a value as Go's `%v` does: `map[a:1 b:2]`, `[a b]`, `<nil>`. `numberText` is `goFloat`
 * where Go decodes all numbers as floats.
 */
export function goText(value: JsonValue, numberText: (value: number) => string = goNumber): string {
  if (typeof value === 'number') return numberText(value);
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map((item) => goText(item, numberText)).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const keys = Object.keys(value).toSorted();
  return `map[${keys.map((key) => `${key}:${goText(value[key] ?? null, numberText)}`).join(' ')}]`;
}

/** Formats a number as Go's `%v` does: integers in full, others like `goFloat`. */
export function goNumber(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : goFloat(value);
}

/** The power of ten from which numbers are written with an exponent. */
const longestExponent = 6;

/** Formats a number as Go's `%v` of a float: `0.5`, `100000`, `1e+06`, `1e-05`. */
export function goFloat(value: number): string {
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  // JavaScript writes no exponent from 1e-6 to 1e21.
  if (value === 0 || (exponent >= -4 && exponent < longestExponent)) return String(value);
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
}

/** The Go type of a decoded value. */
export function goType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64';
}

/** Returns the message of Go's JSON parser for a `kind` or `apiVersion` that is not a string. */
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
