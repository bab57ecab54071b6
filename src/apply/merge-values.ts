import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import { equalValues } from './equal-values.ts';
import type { ListSchema, MapSchema, ObjectSchema, Schema } from '../scheme/schema.ts';
import { isOpen, itemElement, type PathElement } from './path-element.ts';

/**
 * Merges an applied configuration into the live value. Applied values win, all other values are
 * kept. List items are matched by their keys and keep their live order; new items are appended. The
 * arguments are not changed; the result shares parts of both. Each part that does not change is the
 * live value itself.
 */
export function mergeValues(schema: Schema, live: JsonValue | undefined, applied: JsonValue): JsonValue {
  // Null sets no fields of a container, and does not remove it either.
  if (applied === null && isOpen(schema) && hasParts(live)) return live;
  if (live === undefined || live === null) return applied;
  if (!isOpen(schema)) return equalValues(live, applied) ? live : applied;
  if (schema.type === 'list') {
    return Array.isArray(live) && Array.isArray(applied) ? mergeLists(schema, live, applied) : applied;
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
    const part = schema.type === 'map' ? schema.values : schema.fields.get(key)?.schema;
    const before = getOwn(live, key);
    const after = part ? mergeValues(part, before, value) : value;
    if (after === before) continue;
    merged ??= { ...live };
    setOwn(merged, key, after);
  }
  return merged ?? live;
}

function mergeLists(schema: ListSchema, live: JsonValue[], applied: readonly JsonValue[]): JsonValue[] {
  const wanted = new Map<PathElement, JsonValue>();
  for (const item of applied) {
    const element = itemElement(schema, item);
    if (element !== undefined) wanted.set(element, item);
  }
  const places = new Map<PathElement, number>();
  const merged: JsonValue[] = [];
  for (const item of live) {
    const element = itemElement(schema, item);
    const change = element === undefined ? undefined : wanted.get(element);
    const place = element === undefined ? undefined : places.get(element);
    if (element !== undefined && place === undefined) places.set(element, merged.length);
    if (change === undefined) merged.push(item);
    else if (place === undefined) merged.push(mergeValues(schema.items, item, change));
    // The applied item replaces all duplicates, without a merge.
    else merged[place] = change;
  }
  for (const item of applied) {
    const element = itemElement(schema, item);
    if (element === undefined || !places.has(element)) merged.push(item);
  }
  const same = merged.length === live.length && merged.every((item, index) => item === live[index]);
  return same ? live : merged;
}
