import { countValues, valueLimit } from '../codec/value-limit.ts';
import type { FieldSet } from '../apply/field-set.ts';
import type { Manager } from '../apply/managed-fields.ts';
import type { JsonObject } from '../meta/json-value.ts';

/** Managers with fewer paths bring no object to the limit; most have some dozens. */
const fewPaths = 500;

/** What is left below the limit for values that are added later, such as a deletionTimestamp. */
const spareValues = 1_000;

/**
 * Whether an object with its managers, which are in it already, has more values than a body may
 * have: then no client could send back what it has read.
 */
export function managersExceedValues(object: JsonObject, managers: readonly Manager[]): boolean {
  const paths = managers.reduce((sum, { fields }) => sum + countPaths(fields), 0);
  const limit = valueLimit - spareValues;
  return paths > fewPaths && countValues(object, limit) > limit;
}

function countPaths({ entries }: FieldSet): number {
  let count = entries.size;
  for (const { below } of entries.values()) if (below.entries.size > 0) count += countPaths(below);
  return count;
}
