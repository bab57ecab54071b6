import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import type { ListSchema, MapSchema, ObjectSchema, Schema } from '../scheme/model/schema.ts';
import { type FieldSet, FieldSetBuilder } from './field-set.ts';
import { partSchema } from './part-schema.ts';
import { fieldElement, isOpen, itemElement } from './path-element.ts';

/**
 * Returns the paths that a value sets: its leaves, list items and map keys. A manager that applies
 * the value owns these paths.
 */
export function fieldsOfValue(schema: Schema, value: JsonValue): FieldSet {
  const builder = new FieldSetBuilder();
  addParts(schema, value, () => builder);
  return builder.build();
}

/** Adds the paths below a value. Returns false if the value is a leaf. */
function addParts(schema: Schema, value: JsonValue, at: () => FieldSetBuilder): boolean {
  if (!isOpen(schema)) return false;
  if (schema.type === 'list') return Array.isArray(value) && addList(schema, value, at());
  if (!isJsonObject(value) || Object.keys(value).length === 0) return false;
  if (schema.type === 'object') addStruct(schema, value, at());
  else addMap(schema, value, at());
  return true;
}

function addStruct(schema: ObjectSchema, value: JsonObject, builder: FieldSetBuilder): void {
  for (const key of Object.keys(value)) {
    const part = partSchema(schema, key);
    if (!part) continue;
    const element = fieldElement(key);
    const isLeaf = !addParts(part, value[key] ?? null, () => builder.below(element));
    // An unknown field is a member like the keys of a map.
    if (isLeaf || !schema.fields.has(key)) builder.add(element);
  }
}

function addMap(schema: MapSchema, value: JsonObject, builder: FieldSetBuilder): void {
  for (const key of Object.keys(value)) {
    const element = fieldElement(key);
    builder.add(element);
    addParts(schema.values, value[key] ?? null, () => builder.below(element));
  }
}

/** An empty list adds no path: it does not own items that others may add. */
function addList(schema: ListSchema, value: readonly JsonValue[], builder: FieldSetBuilder): true {
  for (const item of value) {
    const element = itemElement(schema, item);
    if (element === undefined) continue;
    builder.add(element);
    addParts(schema.items, item, () => builder.below(element));
  }
  return true;
}
