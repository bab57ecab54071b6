import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import type { Field, ListSchema, MapSchema, ObjectSchema, Schema } from '../scheme/model/schema.ts';
import { type FieldEntry, type FieldSet, isEmptySet, noFields } from './field-set.ts';
import { partSchema } from './part-schema.ts';
import { fieldElement, isOpen, itemElement } from './path-element.ts';

/**
 * Returns the value without the members of `removed` and all values below them. An optional struct
 * is removed if it has a part in `removed` and none in `kept`; its unowned fields are removed with
 * it, because they are defaults of the removed fields. Lists, maps, and structs that every object
 * has (`spec`) are kept with their unowned content. A value that has lost all of its parts becomes
 * null, but stays, empty, if it is a member of `kept` and its place distinguishes empty from
 * missing: a key of a map, or a field of a custom kind. The argument is not changed; the result
 * shares parts with it.
 */
export function removeFields(schema: Schema, value: JsonValue, removed: FieldSet, kept: FieldSet): JsonValue {
  if (isEmptySet(removed) || !isOpen(schema)) return value;
  if (schema.type === 'list') return Array.isArray(value) ? removeItems(schema, value, removed, kept) : value;
  return isJsonObject(value) ? removeKeys(schema, value, removed, kept) : value;
}

function removeKeys(
  schema: ObjectSchema | MapSchema,
  value: JsonObject,
  removed: FieldSet,
  kept: FieldSet,
): JsonObject | null {
  const result: JsonObject = {};
  let isNothing = true;
  for (const [key, part] of Object.entries(value)) {
    const element = fieldElement(key);
    const [gone, stays] = [removed.entries.get(element), kept.entries.get(element)];
    const field = schema.type === 'object' ? schema.fields.get(key) : undefined;
    const schemaOfPart = partSchema(schema, key);
    if (gone && schemaOfPart && isRemoved(gone, part, field) && !isMember(stays, field !== undefined)) continue;
    const left = gone && schemaOfPart ? removeFields(schemaOfPart, part, gone.below, stays?.below ?? noFields) : part;
    const isEmptied = left === null && part !== null;
    if (isEmptied && !(stays?.member && (!field || field.keepsEmpty))) continue;
    isNothing = false;
    setOwn(result, key, isEmptied ? emptyLike(part) : left);
  }
  return isNothing && Object.keys(value).length > 0 ? null : result;
}

function emptyLike(value: JsonValue): JsonValue {
  return Array.isArray(value) ? [] : {};
}

/**
 * True if a whole part is removed. A struct that every object has is a member if it was applied
 * empty; it is not removed if it has content.
 */
function isRemoved(gone: FieldEntry, part: JsonValue, field: Field | undefined): boolean {
  if (field?.schema.type !== 'object') return gone.member;
  if (!field.alwaysPresent) return isMember(gone, true);
  const hasContent = isJsonObject(part) && Object.keys(part).length > 0;
  return gone.member && !(hasContent && isOpen(field.schema));
}

function removeItems(
  schema: ListSchema,
  value: readonly JsonValue[],
  removed: FieldSet,
  kept: FieldSet,
): JsonValue[] | null {
  const result: JsonValue[] = [];
  for (const item of value) {
    const element = itemElement(schema, item);
    const gone = element === undefined ? undefined : removed.entries.get(element);
    const stays = element === undefined ? undefined : kept.entries.get(element);
    if (!gone) result.push(item);
    else if (!gone.member || stays?.member) {
      const left = removeFields(schema.items, item, gone.below, stays?.below ?? noFields);
      if (left !== null) result.push(left);
    }
  }
  return result.length === 0 && value.length > 0 ? null : result;
}

/** True if the path is a member; with `orParts`, also if it has members below it. */
function isMember(entry: FieldEntry | undefined, orParts: boolean): boolean {
  return entry !== undefined && (entry.member || orParts);
}
