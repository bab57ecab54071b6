import { countValues, tooManyValues, valueLimit } from '../codec/value-limit.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { getMeta } from '../meta/object-meta.ts';

/**
 * Refuses with 413 what a write makes of an object, where it has too many values and more than before: patches add to what is
 * there, and so do defaults. Managers are not counted: the write makes them anew, and leaves them out where they are too many.
 */
export function checkValues(object: JsonObject, old: JsonObject | undefined): void {
  if (countValues(object, valueLimit) <= valueLimit) return;
  const count = countContent(object);
  if (count > valueLimit && count > (old ? countContent(old) : 0)) throw tooManyValues();
}

function countContent(object: JsonObject): number {
  return countValues(object) - countValues(getMeta(object, 'managedFields') ?? null);
}
