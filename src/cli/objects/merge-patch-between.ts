import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';
import { sameValue } from '../../meta/read-field.ts';

/** The merge patch (RFC 7386) that makes one object the other; undefined if they are the same. */
export function mergePatchBetween(from: JsonObject, to: JsonObject): JsonObject | undefined {
  const patch: JsonObject = {};
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) setOwn(patch, key, null);
  for (const [key, value] of Object.entries(to)) {
    const before = Object.hasOwn(from, key) ? from[key] : undefined;
    if (isJsonObject(before) && isJsonObject(value)) {
      const inner = mergePatchBetween(before, value);
      if (inner) setOwn(patch, key, inner);
    } else if (!sameValue(before, value)) setOwn(patch, key, value);
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** Reports whether a patch replaces a list, and so the changes that others made to it meanwhile. */
export function replacesList(patch: JsonValue): boolean {
  if (Array.isArray(patch)) return true;
  return isJsonObject(patch) && Object.values(patch).some(replacesList);
}
