import type { JsonValue } from '../../meta/json-value.ts';

/** True if two JSON values are equal, independent of the order of keys. */
export function equalValues(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => equalValues(item, b[index]));
  }
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (keys.length !== others.length) return false;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? '';
    // Objects of one schema usually have their keys in the same order, which saves the look-up.
    if (key !== others[index] && !Object.hasOwn(b, key)) return false;
    if (!equalValues(a[key], b[key])) return false;
  }
  return true;
}
