import { getOwn, isJsonObject, type JsonValue } from '../../src/meta/json-value.ts';
import type { JsonPath } from './json-paths.ts';

/** A place in which two values differ. Undefined where a side has nothing. */
export interface Difference {
  readonly path: JsonPath;
  readonly reference: JsonValue | undefined;
  readonly ours: JsonValue | undefined;
}

/** Every place in which two values differ, the innermost ones; none where they are equal. */
export function differencesBetween(
  reference: JsonValue | undefined,
  ours: JsonValue | undefined,
  path: JsonPath = [],
): readonly Difference[] {
  if (Array.isArray(reference) && Array.isArray(ours)) {
    const longer = reference.length > ours.length ? reference : ours;
    return longer.flatMap((_, index) => differencesBetween(reference[index], ours[index], [...path, index]));
  }
  if (isJsonObject(reference) && isJsonObject(ours)) {
    const keys = new Set([...Object.keys(reference), ...Object.keys(ours)]);
    return [...keys].flatMap((key) => differencesBetween(getOwn(reference, key), getOwn(ours, key), [...path, key]));
  }
  if (reference === ours) return [];
  const present = reference === undefined ? ours : ours === undefined ? reference : undefined;
  // What only one side has is one difference, except that owned fields are looked at one by one.
  if (path.includes('managedFields') && isJsonObject(present) && Object.keys(present).length > 0) {
    return differencesBetween(reference ?? {}, ours ?? {}, path);
  }
  return [{ path, reference, ours }];
}
