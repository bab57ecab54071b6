import { closeBrace, closeBracket, comma, JsonCursor, noToken, openBrace, openBracket } from '../json/json-cursor.ts';
import type { JsonValue } from '../meta/json-value.ts';
import { StatusError } from '../status/status-error.ts';

/**
 * The maximum number of JSON values in one object. Every step of a write spends time on each value,
 * whatever its size. Real objects of a megabyte have less than half of this number.
 */
export const valueLimit = 75_000;

/** A document up to this size cannot exceed the limit: each value takes at least two bytes. */
const harmlessBytes = 2 * valueLimit;

/** Refuses a JSON document of too many values with 413, before it is parsed. */
export function checkValuesInJson(bytes: Buffer): void {
  if (bytes.length > harmlessBytes && valuesInJson(bytes) > valueLimit) throw tooManyValues();
}

/** Counts the values of a JSON document, before it is parsed. */
export function valuesInJson(bytes: Buffer): number {
  const cursor = new JsonCursor(bytes);
  let values = 1;
  let last = noToken;
  for (let token = cursor.next(); token !== noToken; token = cursor.next()) {
    const isFirstInside = last === openBrace || last === openBracket;
    if (token === comma || (isFirstInside && token !== closeBrace && token !== closeBracket)) values++;
    last = token;
  }
  return values;
}

/** Counts a value and all values inside it. Stops counting beyond `limit`. */
export function countValues(value: JsonValue, limit: number = Number.POSITIVE_INFINITY): number {
  return counted(value, 0, limit);
}

function counted(value: JsonValue, before: number, limit: number): number {
  let count = before + 1;
  if (typeof value !== 'object' || value === null || count > limit) return count;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && count <= limit; index++)
      count = counted(value[index] ?? null, count, limit);
    return count;
  }
  for (const key in value) {
    if (count > limit) break;
    count = counted(value[key] ?? null, count, limit);
  }
  return count;
}

/** Returns the 413 for a document of too many values. */
export function tooManyValues(): StatusError {
  return new StatusError('RequestEntityTooLarge', `Request entity too large: limit is ${valueLimit} values`);
}
