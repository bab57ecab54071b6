import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import { PatchError } from './patch-error.ts';

function merge(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    const current = getOwn(merged, key);
    if (value === null) delete merged[key];
    else
      setOwn(merged, key, isJsonObject(current) && isJsonObject(value) ? merge(current, value) : withoutNulls(value));
  }
  return merged;
}

/**
 * Removes nulls from a new value, also from lists. RFC 7386 keeps nulls in lists; kube-apiserver
 * does not.
 */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  return isJsonObject(value) ? merge({}, value) : value;
}

/**
 * Applies a merge patch (RFC 7386) and returns the result. The value and the patch are not changed.
 * A patch that is not an object would replace the whole document; it is refused with `PatchError`
 * `malformed`.
 */
export function applyMergePatch(value: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) throw new PatchError('malformed', 'Invalid JSON Patch');
  return merge(isJsonObject(value) ? value : {}, patch);
}
