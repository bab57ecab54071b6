import { countValues, tooManyValues, valueLimit } from '../../codec/value-limit.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { getMeta } from '../../meta/object-meta.ts';

/**
 * Throws 413 if an object exceeds the limit of values and has more values than before the write.
 * Covers patches and defaults, which add to a valid body. Managers are not counted: the write
 * encodes them again and drops them if they exceed the limit.
 */
export function checkValues(object: JsonObject, old: JsonObject | undefined): void {
  if (countValues(object, valueLimit) <= valueLimit) return;
  const count = countContent(object);
  if (count > valueLimit && count > (old ? countContent(old) : 0)) throw tooManyValues();
}

function countContent(object: JsonObject): number {
  return countValues(object) - countValues(getMeta(object, 'managedFields') ?? null);
}
