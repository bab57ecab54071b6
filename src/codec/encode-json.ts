import type { JsonValue } from '../meta/json-value.ts';

/** Encodes a value that contains a bigint, for which `JSON.stringify` throws. */
function stringify(value: JsonValue): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(stringify).join(',')}]`;
  return `{${Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${JSON.stringify(key)}:${stringify(item)}`)
    .join(',')}}`;
}

/** Encodes a value as compact JSON, without a newline. Integers beyond 2^53 keep every digit. */
export function encodeJson(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return stringify(value);
  }
}
