import { memoize } from '../meta/memoize.ts';
import { LRUCache } from 'lru-cache';
import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import type { Field, ListSchema, MapSchema, ObjectSchema, Schema } from '../scheme/model/schema.ts';
import { equalValues } from '../scheme/model/equal-values.ts';
import { isLeaf, isNothing, sideOf } from './compare-values.ts';
import type { FieldSet } from './field-set.ts';
import { partSchema } from './part-schema.ts';
import { itemElement } from './path-element.ts';
import { compareChange, type ComparedChange } from './update-managed-fields.ts';

/** The total length of the shapes of one kind and one set of reset fields. */
const limitCharacters = 64 << 10;

/** Objects with a longer shape are compared each time. */
const longestShape = 4 << 10;

/** Pure caches: a change follows from the schema, the reset fields and the shape. */
const changesOf = memoize((_schema: ObjectSchema) =>
  memoize(
    (_reset: FieldSet) =>
      new LRUCache<string, ComparedChange>({
        maxSize: limitCharacters,
        sizeCalculation: (_change, shape) => shape.length,
      }),
  ),
);

/**
 * Returns the change that creates an object: all of its fields are added, but for `reset`. Objects
 * of one shape have the same fields, and get the same sets: a controller creates most of its
 * objects alike.
 */
export function changeOfNew(schema: ObjectSchema, object: JsonObject, reset: FieldSet): ComparedChange {
  const shape = structShape(schema, object, true);
  if (shape.length > longestShape) return compareChange({ schema, live: {}, next: object }, reset);
  const known = changesOf(schema)(reset);
  let change = known.get(shape);
  if (!change) {
    change = compareChange({ schema, live: {}, next: object }, reset);
    known.set(shape, change);
  }
  return change;
}

/**
 * The shape of a value: its paths, without the values at their ends. Names that are no fields of
 * the schema are preceded by their lengths, so that different shapes have different texts.
 */
function shapeOf(schema: Schema, value: JsonValue): string {
  if (isLeaf(schema, undefined, value)) return '';
  if (schema.type === 'object') return isJsonObject(value) ? structShape(schema, value, false) : '';
  if (schema.type === 'map') return isJsonObject(value) ? mapShape(schema, value) : '';
  return schema.type === 'list' && Array.isArray(value) ? listShape(schema, value) : '';
}

function structShape(schema: ObjectSchema, object: JsonObject, isRoot: boolean): string {
  let shape = '(';
  for (const name in object) {
    if (shape.length > longestShape) break;
    const field = schema.fields.get(name);
    const value = object[name] ?? null;
    const part = field ? undefined : partSchema(schema, name);
    if (field) shape += isRoot && name === 'metadata' ? metadataShape(field, value) : fieldShape(field, value);
    else if (part) shape += namedShape('+', name, part, value);
  }
  return `${shape})`;
}

function fieldShape(field: Field, value: JsonValue): string {
  if (isNothing(field, undefined, value)) return '';
  // An empty value of a field that a struct always has is no change.
  const isEmpty = field.alwaysPresent && equalValues(value, sideOf(field, {}));
  return `.${field.name}${isEmpty ? '=' : shapeOf(field.schema, value)}`;
}

/** The managers of an object are no part of the comparison. */
function metadataShape(field: Field, value: JsonValue): string {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'managedFields')) return fieldShape(field, value);
  const { managedFields: _, ...rest } = value;
  return fieldShape(field, rest);
}

function mapShape({ values }: MapSchema, map: JsonObject): string {
  let shape = '{';
  for (const key in map) {
    if (shape.length > longestShape) break;
    shape += namedShape('#', key, values, map[key] ?? null);
  }
  return `${shape}}`;
}

function listShape(schema: ListSchema, items: readonly JsonValue[]): string {
  let shape = '[';
  for (const item of items) {
    if (shape.length > longestShape) break;
    const element = itemElement(schema, item);
    if (element !== undefined) shape += namedShape('@', element, schema.items, item);
  }
  return `${shape}]`;
}

function namedShape(mark: string, name: string, schema: Schema, value: JsonValue): string {
  return `${mark}${name.length}:${name}${shapeOf(schema, value)}`;
}
