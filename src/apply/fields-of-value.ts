import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import type { ListSchema, MapSchema, ObjectSchema, Schema } from '../scheme/schema.ts';
import { type FieldSet, FieldSetBuilder } from './field-set.ts';
import { fieldElement, isOpen, itemElement } from './path-element.ts';

/**
 * The paths that a value sets: its leaves, the items of its lists and the keys of its maps. This is what a manager owns
 * that applies the value.
 */
export function fieldsOfValue(schema: Schema, value: JsonValue): FieldSet {
  const builder = new FieldSetBuilder();
  addParts(schema, value, builder);
  return builder.build();
}

/** Adds what is below a place; answers false where the place is itself a leaf. */
function addParts(schema: Schema, value: JsonValue, builder: FieldSetBuilder): boolean {
  if (!isOpen(schema)) return false;
  if (schema.type === 'list') return Array.isArray(value) && addList(schema, value, builder);
  if (!isJsonObject(value)) return false;
  return schema.type === 'object' ? addStruct(schema, value, builder) : addMap(schema, value, builder);
}

function addStruct(schema: ObjectSchema, value: JsonObject, builder: FieldSetBuilder): boolean {
  for (const [key, part] of Object.entries(value)) {
    const field = schema.fields.get(key);
    const element = fieldElement(key);
    if (!field) {
      if (schema.preserveUnknown) builder.add(element);
    } else if (!addParts(field.schema, part, builder.below(element))) builder.add(element);
  }
  return Object.keys(value).length > 0;
}

function addMap(schema: MapSchema, value: JsonObject, builder: FieldSetBuilder): boolean {
  for (const [key, part] of Object.entries(value)) {
    const element = fieldElement(key);
    builder.add(element);
    addParts(schema.values, part, builder.below(element));
  }
  return Object.keys(value).length > 0;
}

function addList(schema: ListSchema, value: readonly JsonValue[], builder: FieldSetBuilder): boolean {
  for (const item of value) {
    const element = itemElement(schema, item);
    if (element === undefined) continue;
    builder.add(element);
    addParts(schema.items, item, builder.below(element));
  }
  // An empty list says nothing of items that others may add.
  return true;
}
