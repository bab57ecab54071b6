import { defaultPart } from '../scheme/apply-defaults.ts';
import { FieldDecodeError } from '../scheme/model/field-decode-error.ts';
import { decodePart } from '../scheme/decode-object.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import { equalValues } from '../scheme/model/equal-values.ts';
import type { MapSchema, ObjectSchema, Schema } from '../scheme/model/schema.ts';
import { mergeLists } from './merge-lists.ts';
import { partSchema } from './part-schema.ts';
import { isOpen } from './path-element.ts';

/** Tells whether two values of a schema without parts of their own are the same. */
type SameLeaf = (live: JsonValue, applied: JsonValue, schema: Schema) => boolean;

/**
 * Merges an applied configuration into the live value. Applied values win, all other values are
 * kept. List items are matched by their keys (`mergeLists`). The arguments are not changed; the
 * result shares parts of both. Each part that does not change, and each leaf that is the same, is
 * the live value itself.
 */
export function mergeValues(
  schema: Schema,
  live: JsonValue | undefined,
  applied: JsonValue,
  sameLeaf: SameLeaf = equalValues,
): JsonValue {
  if (live === applied) return live;
  // Null sets no fields of a container, and does not remove it either.
  if (applied === null && isOpen(schema) && hasParts(live) && Array.isArray(live) === (schema.type === 'list')) {
    return live;
  }
  if (live === undefined || live === null) return applied;
  if (!isOpen(schema)) return sameLeaf(live, applied, schema) ? live : applied;
  if (schema.type === 'list') {
    return Array.isArray(live) && Array.isArray(applied)
      ? mergeLists(schema, live, applied, (item, before, next) => mergeValues(item, before, next, sameLeaf))
      : applied;
  }
  return isJsonObject(live) && isJsonObject(applied) ? mergeObjects(schema, live, applied, sameLeaf) : applied;
}

function hasParts(value: JsonValue | undefined): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function mergeObjects(
  schema: ObjectSchema | MapSchema,
  live: JsonObject,
  applied: JsonObject,
  sameLeaf: SameLeaf,
): JsonObject {
  let merged: JsonObject | undefined;
  for (const key of Object.keys(applied)) {
    const value = applied[key] ?? null;
    const part = partSchema(schema, key);
    const before = getOwn(live, key);
    const after = part ? mergeValues(part, before, value, sameLeaf) : value;
    if (after === before) continue;
    merged ??= { ...live };
    setOwn(merged, key, after);
  }
  return merged ?? live;
}

/**
 * Reports whether a leaf is stored as the live one, such as another spelling of a quantity, or an
 * object without its defaults.
 */
export function hasSameForm(live: JsonValue, applied: JsonValue, schema: Schema): boolean {
  return equalValues(live, applied) || equalValues(live, storedForm(schema, applied));
}

/** Converts a leaf to its stored form; undefined if it cannot be decoded. */
function storedForm(schema: Schema, applied: JsonValue): JsonValue | undefined {
  try {
    return defaultPart(schema, decodePart(schema, applied));
  } catch (error) {
    if (error instanceof FieldDecodeError) return undefined;
    throw error;
  }
}
