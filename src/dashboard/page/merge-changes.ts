import { encodeJson } from '../../codec/encode-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';

/**
 * Applies the changes from `base` to `mine` to `latest`. Members of objects are changed one by one,
 * any other value as a whole. The resourceVersion of `latest` is kept.
 */
export function mergeChanges(base: JsonObject, mine: JsonObject, latest: JsonObject): JsonObject {
  const merged = mergeMembers(base, mine, latest);
  const { metadata } = merged;
  const { metadata: present } = latest;
  if (!isJsonObject(metadata) || !isJsonObject(present) || present['resourceVersion'] === undefined) return merged;
  return { ...merged, metadata: { ...metadata, resourceVersion: present['resourceVersion'] } };
}

function mergeMembers(base: JsonObject, mine: JsonObject, latest: JsonObject): JsonObject {
  const merged: JsonObject = {};
  for (const name of new Set([...Object.keys(latest), ...Object.keys(mine)])) {
    const value = mergeValue(own(base, name), own(mine, name), own(latest, name));
    if (value !== undefined) setOwn(merged, name, value);
  }
  return merged;
}

function mergeValue(base?: JsonValue, mine?: JsonValue, latest?: JsonValue): JsonValue | undefined {
  if (isSame(base, mine)) return latest;
  if (!isJsonObject(mine) || !isJsonObject(latest)) return mine;
  return mergeMembers(isJsonObject(base) ? base : {}, mine, latest);
}

function isSame(base?: JsonValue, mine?: JsonValue): boolean {
  return base === mine || (base !== undefined && mine !== undefined && encodeJson(base) === encodeJson(mine));
}

function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
