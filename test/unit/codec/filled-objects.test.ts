import assert from 'node:assert/strict';
import { codecsOf } from '../../../src/api/request/codecs.ts';
import { builtInDefinitions } from '../../../src/catalogue/definitions.ts';
import { documentOf } from '../../../src/codec/document.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { formatApiVersion } from '../../../src/meta/group-version-kind.ts';
import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { decodeObject } from '../../../src/scheme/decode-object.ts';
import type { ObjectSchema, ScalarType, Schema } from '../../../src/scheme/model/schema.ts';

const identifiers = identifiersOf('kubernetes');

const scalars: Readonly<Record<ScalarType, JsonValue>> = {
  string: 'text: "q" ünïcödé 😀\n#',
  int32: -7,
  int64: 9007199254740993n,
  uint32: 4_000_000_000,
  uint64: 9007199254740993n,
  double: 0.1,
  bool: true,
  bytes: 'AP8=',
  time: '2026-01-02T03:04:05Z',
  microTime: '2026-01-02T03:04:05.000006Z',
  duration: '1h2m3s',
  quantity: '1500m',
  intOrString: '25%',
  any: { apiVersion: 'v1', kind: 'Any', list: [1, null, { a: false }] },
  fieldsV1: { 'f:a': { '.': {} } },
};

/** Values that are a schema, or one of several types. */
const ofSchemas: Readonly<Record<string, JsonValue>> = {
  JSONSchemaPropsOrBool: { type: 'string' },
  JSONSchemaPropsOrArray: { type: 'string' },
  JSONSchemaPropsOrStringArray: ['a', 'b'],
};

/** A value with every field of a schema set; a message that contains itself is empty inside. */
function filled(schema: Schema, inside: readonly string[] = []): JsonValue {
  if (schema.type === 'object') return filledObject(schema, inside);
  if (schema.type === 'list') return [filled(schema.items, inside)];
  if (schema.type === 'map')
    return { 'a.example.com/b': filled(schema.values, inside), z: filled(schema.values, inside) };
  return ofSchemas[schema.message?.split('.').at(-1) ?? ''] ?? scalars[schema.type];
}

function filledObject({ name, fields }: ObjectSchema, inside: readonly string[]): JsonObject {
  if (inside.includes(name)) return {};
  // In Protobuf both spellings of an extension are one field.
  const own = [...fields.values()].filter((field) => !field.name.startsWith('x-cluster-'));
  const entries = own.map((field) => [field.name, filled(field.schema, [...inside, name])] as const);
  return Object.fromEntries(entries);
}

describe('objects of the newest release with every field', () => {
  const kinds = builtInDefinitions(identifiers).flatMap(({ group, kind, versions }) =>
    versions.map(({ version, schema }) => ({ apiVersion: formatApiVersion(group, version), kind, schema: schema() })),
  );
  for (const codec of codecsOf(identifiers, { cbor: true })) {
    it(`keep all of them in ${codec.mediaType}`, async () => {
      for (const { apiVersion, kind, schema } of kinds) {
        const { value, unknownFields } = decodeObject(schema, { ...filledObject(schema, []), kind, apiVersion });
        assert.deepEqual(unknownFields, []);
        const bytes = Buffer.concat([...codec.encodeObject(documentOf(value))]);
        const read = await codec.decodeObject(bytes, { duplicates: true, kind: undefined });
        const again = decodeObject(schema, read.value);
        assert.deepEqual([again.unknownFields, read.duplicateFields], [[], []], `${apiVersion} ${kind}`);
        assert.deepEqual(again.value, value, `${apiVersion} ${kind}`);
      }
    });
  }
});
