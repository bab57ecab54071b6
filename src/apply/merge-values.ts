import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import { equalValues } from './equal-values.ts';
import type { MapSchema, ObjectSchema, Schema } from '../scheme/model/schema.ts';
import { mergeLists } from './merge-lists.ts';
import { partSchema } from './part-schema.ts';
import { isOpen } from './path-element.ts';

/**
 * Merges an applied configuration into the live value. Applied values win, all other values are
 * kept. List items are matched by their keys (`mergeLists`). The arguments are not changed; the
 * result shares parts of both. Each part that does not change is the live value itself.
 */
export function mergeValues(schema: Schema, live: JsonValue | undefined, applied: JsonValue): JsonValue {
  // Null sets no fields of a container, and does not remove it either.
  if (applied === null && isOpen(schema) && hasParts(live) && Array.isArray(live) === (schema.type === 'list')) {
    return live;
  }
  if (live === undefined || live === null) return applied;
  if (!isOpen(schema)) return equalValues(live, applied) ? live : applied;
  if (schema.type === 'list') {
    return Array.isArray(live) && Array.isArray(applied) ? mergeLists(schema, live, applied, mergeValues) : applied;
  }
  return isJsonObject(live) && isJsonObject(applied) ? mergeObjects(schema, live, applied) : applied;
}

function hasParts(value: JsonValue | undefined): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function mergeObjects(schema: ObjectSchema | MapSchema, live: JsonObject, applied: JsonObject): JsonObject {
  let merged: JsonObject | undefined;
  for (const key of Object.keys(applied)) {
    const value = applied[key] ?? null;
    const part = partSchema(schema, key);
    const before = getOwn(live, key);
    const after = part ? mergeValues(part, before, value) : value;
    if (after === before) continue;
    merged ??= { ...live };
    setOwn(merged, key, after);
  }
  return merged ?? live;
}
