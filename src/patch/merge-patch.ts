import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import { PatchError } from './patch-error.ts';

function merge(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const merged: JsonObject = isJsonObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else setOwn(merged, key, merge(getOwn(merged, key), value));
  }
  return merged;
}

/**
 * Applies a merge patch (RFC 7386) and returns the result; the value and the patch stay as they are. A patch that is
 * no object would replace the whole document: it is refused with `PatchError` `malformed`.
 */
export function applyMergePatch(value: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) throw new PatchError('malformed', 'Invalid JSON Patch');
  return merge(value, patch);
}
