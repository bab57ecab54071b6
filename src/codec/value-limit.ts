import type { JsonValue } from '../meta/json-value.ts';
import { StatusError } from '../status/status-error.ts';

/**
 * The maximum number of JSON values in one object. Every step of a write spends time on each value,
 * whatever its size. Real objects of a megabyte have less than half of this number.
 */
export const valueLimit = 75_000;

/** A document up to this size cannot exceed the limit: each value takes at least two bytes. */
const harmlessBytes = 2 * valueLimit;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const openBracket = 0x5b;
/** The difference between the codes of an opening and its closing bracket or brace. */
const bracketDistance = 2;

/** Refuses a JSON document of too many values with 413, before it is parsed. */
export function checkValuesInJson(bytes: Buffer): void {
  if (bytes.length > harmlessBytes && valuesInJson(bytes) > valueLimit) throw tooManyValues();
}

/** Counts the values of a JSON document, before it is parsed. */
export function valuesInJson(bytes: Buffer): number {
  let values = 1;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === quote) index = endOfString(bytes, index + 1);
    else if (byte === comma) values++;
    else if (byte === openBrace || byte === openBracket) {
      // The first value inside, if there is one.
      if (bytes[index + 1] !== byte + bracketDistance) values++;
    }
  }
  return values;
}

function endOfString(bytes: Buffer, from: number): number {
  let index = from;
  for (let byte = bytes[index]; byte !== quote && byte !== undefined; byte = bytes[++index]) {
    if (byte === backslash) index++;
  }
  return index;
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
