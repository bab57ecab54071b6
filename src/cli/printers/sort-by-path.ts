import type { JsonValue } from '../../meta/json-value.ts';
import { compareQuantities, parseQuantity } from '../../meta/quantity.ts';
import { CliError } from '../cli-error.ts';
import { followPath } from './json-path.ts';
import { parsePath } from './parse-json-path.ts';

/**
 * Sorts by the field at a path of each item's object: numbers and quantities by value, other texts
 * by their characters. Throws CliError if no object has the field.
 */
export function sortByPath<Item>(items: readonly Item[], path: string, objectOf: (item: Item) => JsonValue): Item[] {
  const steps = parsePath(path);
  const keyed = items.map((item) => ({ item, key: followPath(steps, objectOf(item), { allowMissing: true })[0] }));
  if (items.length > 1 && keyed.every(({ key }) => key === undefined)) {
    throw new CliError(`couldn't find any field with path "${path}" in the list of objects`);
  }
  return keyed.toSorted((one, other) => compareKeys(one.key, other.key)).map(({ item }) => item);
}

/** Objects without the field come first. */
function compareKeys(one: JsonValue | undefined, other: JsonValue | undefined): number {
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined);
  if (typeof one === 'string' && typeof other === 'string') return compareTexts(one, other);
  return Number(one) - Number(other) || 0;
}

function compareTexts(one: string, other: string): number {
  const [a, b] = [parseQuantity(one), parseQuantity(other)];
  if (!('error' in a) && !('error' in b)) return compareQuantities(a, b);
  return one === other ? 0 : one < other ? -1 : 1;
}
