import { type CelInput, type CelUint, type CelValue, isCelList, isCelMap, isCelUint } from '@bufbuild/cel';
import { isJsonObject, type JsonValue } from '../meta/json-value.ts';
import { ExpressionError } from './expression.ts';

/** Converts JSON to a value for expressions: objects are maps, and numbers doubles. */
export function toCel(value: JsonValue): CelInput {
  if (Array.isArray(value)) return value.map(toCel);
  if (!isJsonObject(value)) return value;
  return new Map(Object.entries(value).map(([name, field]) => [name, toCel(field)]));
}

/** A key of a map as the name of a field. */
function textOf(key: string | bigint | boolean | CelUint): string {
  return typeof key === 'object' ? String(key.value) : String(key);
}

/** Converts the value of an expression to JSON. Throws ExpressionError for types without JSON. */
export function toJson(value: CelValue): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return value;
  if (typeof value === 'bigint') return Number(value);
  if (isCelUint(value)) return Number(value.value);
  if (isCelList(value)) return [...value].map(toJson);
  if (isCelMap(value)) return Object.fromEntries([...value].map(([name, field]) => [textOf(name), toJson(field)]));
  throw new ExpressionError('the value has a type that JSON does not have');
}
