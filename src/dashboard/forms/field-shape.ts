import {
  descriptionsOf,
  fieldsOf,
  resolved,
  type SchemaField,
  type Schemas,
} from '../../cli/commands/types/schema-of-kind.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { objectsAt, stringAt } from '../../meta/read-field.ts';

/** The control that a value needs, with the schemas of its parts. */
export type FieldShape =
  | { readonly kind: 'object'; readonly fields: readonly SchemaField[] }
  | { readonly kind: 'map'; readonly values: JsonObject }
  | { readonly kind: 'list'; readonly items: JsonObject }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'boolean' | 'integer' | 'number' | 'integer-or-text' | 'text' }
  /** Any value, as YAML. */
  | { readonly kind: 'any' };

const simpleKinds: Readonly<Record<string, 'boolean' | 'integer' | 'number' | 'text'>> = {
  boolean: 'boolean',
  integer: 'integer',
  number: 'number',
  string: 'text',
};

/**
 * The shape of a value by its schema. A value that contradicts its schema, and one without schema,
 * has the shape that it is seen to have.
 */
export function shapeOf(schema: JsonObject, schemas: Schemas, value?: JsonValue): FieldShape {
  const shape = shapeOfSchema(schema, schemas);
  return value === undefined || value === null || shows[shape.kind](value) ? shape : shapeOfValue(value);
}

function shapeOfSchema(schema: JsonObject, schemas: Schemas): FieldShape {
  const own = resolved(schema, schemas);
  const { items, additionalProperties, properties } = own;
  if (isMixed(own)) return { kind: 'integer-or-text' };
  if (isJsonObject(items)) return { kind: 'list', items };
  if (isJsonObject(properties)) return { kind: 'object', fields: sortedFields(fieldsOf(own, schemas)) };
  if (isJsonObject(additionalProperties)) return { kind: 'map', values: additionalProperties };
  const { enum: choices } = own;
  if (Array.isArray(choices) && choices.length > 0 && choices.every((each) => typeof each === 'string')) {
    return { kind: 'choice', values: choices };
  }
  // An amount is a text or a number; it is sent as text.
  if (objectsAt(own, 'oneOf').some((each) => stringAt(each, 'type') === 'string')) return { kind: 'text' };
  const kind = getOwn(simpleKinds, stringAt(own, 'type'));
  return { kind: kind ?? 'any' };
}

/**
 * Reports whether a value is an integer or a string: `80` or `http`. The name of the extension
 * begins with the product's.
 */
function isMixed(schema: JsonObject): boolean {
  return (
    stringAt(schema, 'format') === 'int-or-string' ||
    Object.entries(schema).some(([name, value]) => /^x-.*-int-or-string$/.test(name) && value === true)
  );
}

/** Required fields come first, then the others by name. */
function sortedFields(fields: readonly SchemaField[]): readonly SchemaField[] {
  return fields.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

const isScalar = (value: JsonValue): boolean => ['string', 'number', 'bigint'].includes(typeof value);

/** The values that a control of each kind can show. */
const shows: Readonly<Record<FieldShape['kind'], (value: JsonValue) => boolean>> = {
  object: isJsonObject,
  map: isJsonObject,
  list: (value) => Array.isArray(value),
  boolean: (value) => typeof value === 'boolean',
  integer: isScalar,
  number: isScalar,
  'integer-or-text': isScalar,
  text: isScalar,
  choice: isScalar,
  // Controls for the parts of a value without schema are better than its text.
  any: (value) => typeof value === 'object' && value !== null && Object.keys(value).length === 0,
};

function shapeOfValue(value: JsonValue): FieldShape {
  if (Array.isArray(value)) return { kind: 'list', items: {} };
  if (isJsonObject(value)) return { kind: 'map', values: {} };
  if (typeof value === 'boolean') return { kind: 'boolean' };
  return { kind: typeof value === 'string' ? 'text' : 'number' };
}

/** The description of a field: its own, else the description of its type. */
export function descriptionOf(schema: JsonObject, schemas: Schemas): string {
  return descriptionsOf(schema, schemas)[0] ?? '';
}
