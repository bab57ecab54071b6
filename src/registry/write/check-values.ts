import { countValues, tooManyValues, valueLimit } from '../../codec/value-limit.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { getMeta } from '../../meta/object-meta.ts';
import type { FieldSet } from '../../apply/field-set.ts';
import type { Manager } from '../../apply/managed-fields.ts';
import { memoize } from '../../meta/memoize.ts';

/**
 * Objects whose managers have fewer paths are not counted: they cannot reach the limit. Most have
 * some dozens.
 */
const fewPaths = 500;

/** Kept free below the limit for values that are added later, such as a deletionTimestamp. */
const spareValues = 1_000;

/**
 * Reports whether an object, including its managers, has more values than a request body may
 * have: a client could not send back the object that it read.
 */
export function managersExceedValues(object: JsonObject, managers: readonly Manager[]): boolean {
  const paths = managers.reduce((sum, { fields }) => sum + pathsIn(fields).count, 0);
  const limit = valueLimit - spareValues;
  return paths > fewPaths && countValues(object, limit) > limit;
}

/** Memoized, because most sets come from earlier writes. */
const pathsIn = memoize((set: FieldSet) => ({ count: countPaths(set) }));

function countPaths({ entries }: FieldSet): number {
  let count = entries.size;
  for (const { below } of entries.values()) if (below.entries.size > 0) count += countPaths(below);
  return count;
}

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
