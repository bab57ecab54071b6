import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';
import { sameValue } from '../../meta/read-field.ts';

/** Reports whether two values of a field are the same. */
type SameValue = (one: JsonValue | undefined, other: JsonValue | undefined) => boolean;

/**
 * The merge patch (RFC 7386) that makes one object the other; undefined if they are the same.
 * Without `isSame` empty values are the same as missing ones.
 */
export function mergePatchBetween(
  from: JsonObject,
  to: JsonObject,
  isSame: SameValue = sameValue,
): JsonObject | undefined {
  const patch: JsonObject = {};
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) setOwn(patch, key, null);
  for (const [key, value] of Object.entries(to)) {
    const before = Object.hasOwn(from, key) ? from[key] : undefined;
    if (isJsonObject(before) && isJsonObject(value)) {
      const inner = mergePatchBetween(before, value, isSame);
      if (inner) setOwn(patch, key, inner);
    } else if (!isSame(before, value)) setOwn(patch, key, value);
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** Reports whether a patch replaces a list, and so the changes that others made to it meanwhile. */
export function replacesList(patch: JsonValue): boolean {
  if (Array.isArray(patch)) return true;
  return isJsonObject(patch) && Object.values(patch).some(replacesList);
}
