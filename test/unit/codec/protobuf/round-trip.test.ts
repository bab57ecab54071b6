import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createProtobufCodec } from '../../../../src/codec/protobuf/protobuf-codec.ts';
import { documentOf } from '../../../../src/codec/document.ts';
import { identifiersOf } from '../../../../src/identifiers/identifiers.ts';
import { formatApiVersion } from '../../../../src/meta/group-version-kind.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/meta/json-value.ts';
import { builtInCatalogue } from '../../../../src/catalogue/definitions.ts';
import { decodeObject } from '../../../../src/scheme/decode-object.ts';
import { arbitraryDocument } from '../../scheme/arbitrary-document.ts';

const identifiers = identifiersOf('kubernetes');
const codec = createProtobufCodec(identifiers);
const kinds = builtInCatalogue(identifiers).current.resources.flatMap(({ group, kind, versions }) =>
  versions.map(({ version, schema }) => ({ kind, apiVersion: formatApiVersion(group, version), schema: schema() })),
);

async function throughProtobuf(value: JsonObject): Promise<JsonObject> {
  const [bytes] = [...codec.encodeObject(documentOf(value))];
  assert.ok(bytes);
  const { value: read } = await codec.decodeObject(bytes, { duplicates: false, kind: undefined });
  // A codec returns objects for the documents that it encoded.
  return read as JsonObject;
}

/** Fields whose arbitrary values are no schemas; the golden files have schemas in them. */
const schemasOrOthers: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'dependencies',
]);

/** Protobuf has no empty lists and maps, and neither null nor absent items. */
function withoutEmpty(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => (item === null ? null : withoutEmpty(item)));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withoutEmpty(item)] as const);
  return Object.fromEntries(entries.filter(([key, item]) => !isEmpty(item) && !schemasOrOthers.has(key)));
}

/** Protobuf has one spelling of the extensions of schemas: that of the server. */
function respelled(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(respelled);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key.replace(/^x-cluster-/, 'x-kubernetes-'),
    respelled(item),
  ]);
  return Object.fromEntries(entries);
}

function isEmpty(value: JsonValue): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

describe('an object that goes through Protobuf', () => {
  for (const { kind, apiVersion, schema } of kinds) {
    it(`is the same ${apiVersion} ${kind}`, async () => {
      const property = fc.asyncProperty(arbitraryDocument(schema), async (document) => {
        const { value } = decodeObject(schema, document);
        const {
          kind: readKind,
          apiVersion: readVersion,
          ...read
        } = await throughProtobuf({ ...value, kind, apiVersion });
        assert.deepEqual([readKind, readVersion], [kind, apiVersion]);
        const { kind: _kind, apiVersion: _apiVersion, ...expected } = value;
        assert.deepEqual(withoutEmpty(decodeObject(schema, read).value), respelled(withoutEmpty(expected)));
      });
      await fc.assert(property, { numRuns: 60 });
    });
  }
});
