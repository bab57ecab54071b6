import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import type { ObjectSchema, Schema } from '../../../src/scheme/model/schema.ts';

const keys = fc.constantFrom('a', 'b', 'example.com/c', '__proto__', '10', 'constructor');

const scalars: Readonly<Partial<Record<Schema['type'], fc.Arbitrary<JsonValue>>>> = {
  string: fc.constantFrom('', 'a', 'Always', 'x.example.com', '1.2.3.4'),
  bool: fc.boolean(),
  int32: fc.integer({ min: -1, max: 70_000 }),
  int64: fc.oneof(fc.integer(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  bytes: fc.constantFrom('', 'eA==', 'eHk=', 'eB=='),
  time: fc.constantFrom('2024-01-01T00:00:00Z', '2024-01-01T00:00:00.123+02:00'),
  microTime: fc.constant('2024-01-01T00:00:00.000001Z'),
  quantity: fc.constantFrom<JsonValue>('1', '1024Mi', 0.5, '1e3', '0'),
  intOrString: fc.constantFrom<JsonValue>(0, 80, 'http', '25%'),
  any: fc.constantFrom<JsonValue>({ x: [1] }, {}, 'text'),
  fieldsV1: fc.constant({ 'f:a': {} }),
};

/** Documents that fit a schema, with a few of its fields each, nulls and unknown fields among them. */
export function arbitraryDocument(schema: ObjectSchema, depth = 5): fc.Arbitrary<JsonObject> {
  const fields = [...schema.fields.values()];
  if (depth === 0 || fields.length === 0) return fc.constant({});
  const entry = fc.nat(fields.length).chain((index): fc.Arbitrary<readonly [string, JsonValue]> => {
    const field = fields[index];
    if (!field) return fc.constant(['unknown', 1] as const);
    return valueOf(field.schema, depth).map((value) => [field.name, value] as const);
  });
  return fc.array(entry, { maxLength: 6 }).map((entries) => Object.fromEntries(entries));
}

function valueOf(schema: Schema, depth: number): fc.Arbitrary<JsonValue> {
  const value = knownValueOf(schema, depth);
  return fc.option(value, { freq: 12 });
}

/** Other values of these fields are refused. */
const schemaOrBool = fc.constantFrom<JsonValue>({ type: 'string' }, {}, true, false);

function knownValueOf(schema: Schema, depth: number): fc.Arbitrary<JsonValue> {
  if (schema.type === 'any' && schema.message?.endsWith('.JSONSchemaPropsOrBool')) return schemaOrBool;
  if (schema.type === 'object') return arbitraryDocument(schema, depth - 1);
  if (schema.type === 'list') return fc.array(valueOf(schema.items, depth), { maxLength: 3 });
  if (schema.type === 'map') {
    const entries = fc.array(fc.tuple(keys, valueOf(schema.values, depth)), { maxLength: 3 });
    return entries.map((list) => Object.fromEntries(list));
  }
  return scalars[schema.type] ?? fc.constant(null);
}
