import { getOwn, type JsonObject, type JsonValue } from '../meta/json-value.ts';

function objectEquals(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => {
    const [left, right] = [getOwn(a, key), getOwn(b, key)];
    return left !== undefined && right !== undefined && jsonEquals(left, right);
  });
}

/**
 * Compares two JSON values (RFC 6902, section 4.6). The order of keys does not matter, the order of
 * list items does, and numbers are compared by value. Takes time linear in the smaller value.
 */
export function jsonEquals(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, i) => {
      const other = b[i];
      return other !== undefined && jsonEquals(item, other);
    });
  }
  return objectEquals(a, b);
}
