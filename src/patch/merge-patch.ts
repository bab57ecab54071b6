import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import { PatchError } from './patch-error.ts';

/**
 * How nulls in lists of a patch are handled: kept, as in RFC 7386, or dropped, before release 1.35.
 */
type NullItems = 'kept' | 'dropped';

function merge(target: JsonObject, patch: JsonObject, nulls: NullItems): JsonObject {
  const merged: JsonObject = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    const current = getOwn(merged, key);
    if (value === null) delete merged[key];
    else
      setOwn(
        merged,
        key,
        isJsonObject(current) && isJsonObject(value) ? merge(current, value, nulls) : withoutNulls(value, nulls),
      );
  }
  return merged;
}

/** Removes nulls from a new value. */
function withoutNulls(value: JsonValue, nulls: NullItems): JsonValue {
  if (!Array.isArray(value)) return isJsonObject(value) ? merge({}, value, nulls) : value;
  const items = nulls === 'kept' ? value : value.filter((item) => item !== null);
  return items.map((item) => withoutNulls(item, nulls));
}

/**
 * Applies a merge patch (RFC 7386) and returns the result. The value and the patch are not changed.
 * A patch that is not an object would replace the whole document; it is refused with `PatchError`
 * `malformed`.
 */
export function applyMergePatch(value: JsonValue, patch: JsonValue, nulls: NullItems = 'dropped'): JsonValue {
  if (!isJsonObject(patch)) throw new PatchError('malformed', 'Invalid JSON Patch');
  return merge(isJsonObject(value) ? value : {}, patch, nulls);
}
