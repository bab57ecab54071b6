import { referenceOf, resolved, type SchemaField, type Schemas } from '../../cli/commands/types/schema-of-kind.ts';
import { copyJson, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';
import { numberAt, stringAt } from '../../meta/read-field.ts';
import { shapeOf } from './field-shape.ts';

/** Required fields in required fields; a schema may require itself, and more than once. */
const deepest = 12;

/** Values in a starting value. */
const most = 1000;

interface StartContext {
  readonly schemas: Schemas;
  readonly withItems: boolean;
  /** Values that may still be made. */
  left: number;
}

/**
 * The value that a field starts with: its default, else the smallest that its schema takes, with
 * the required fields of objects. `withItems` gives required lists one item.
 */
export function startingValue(schema: JsonObject, schemas: Schemas, withItems = false): JsonValue {
  return valueOf(schema, { schemas, withItems, left: most }, 0);
}

function valueOf(schema: JsonObject, context: StartContext, depth: number): JsonValue {
  const { schemas, withItems } = context;
  const goesDeeper = depth < deepest && context.left-- > 0;
  const own = resolved(schema, schemas);
  const given = schema['default'] ?? own['default'];
  // The default of objects is often {}, whose required fields are missing.
  if (given !== undefined && given !== null && !isJsonObject(given) && given !== '') return copyJson(given);
  const shape = shapeOf(schema, schemas);
  const below = (inner: JsonObject): JsonValue => valueOf(inner, context, depth + 1);
  if (shape.kind === 'object') return goesDeeper ? requiredFields(shape.fields, below) : {};
  if (shape.kind === 'list') return withItems && goesDeeper ? [below(shape.items)] : [];
  if (shape.kind === 'choice') return shape.values[0] ?? '';
  if (shape.kind === 'text') return stringAt(own, 'format') === 'date-time' ? now(schema) : '';
  if (shape.kind === 'boolean') return false;
  if (shape.kind === 'map' || shape.kind === 'any') return {};
  return numberAt(own, 'minimum') ?? 0;
}

function requiredFields(fields: readonly SchemaField[], below: (schema: JsonObject) => JsonValue): JsonObject {
  const value: JsonObject = {};
  for (const { name, schema, isRequired } of fields) if (isRequired) setOwn(value, name, below(schema));
  return value;
}

/** This second; a type of times that is named for them has microseconds. */
function now(schema: JsonObject): string {
  const fraction = referenceOf(schema).endsWith('MicroTime') ? '.000000Z' : 'Z';
  return new Date().toISOString().replace(/\.\d+Z$/, fraction);
}
