import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJson } from '../../../src/codec/decode-json.ts';
import { documentOf } from '../../../src/codec/document.ts';
import { createProtobufCodec } from '../../../src/codec/protobuf/protobuf-codec.ts';
import { yamlCodec } from '../../../src/codec/yaml-codec.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { formatApiVersion } from '../../../src/meta/group-version-kind.ts';
import { isJsonObject, type JsonObject } from '../../../src/meta/json-value.ts';
import { packageRoot } from '../../../src/package/package-root.ts';
import { textAt } from '../../fidelity/json-paths.ts';
import { builtInDefinitions } from '../../../src/catalogue/definitions.ts';

const identifiers = identifiersOf('kubernetes');
const folder = join(packageRoot(), 'test/golden');
const names = readdirSync(folder).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []));
const formats = [
  { extension: 'pb', codec: createProtobufCodec(identifiers) },
  { extension: 'yaml', codec: yamlCodec },
];

function source(name: string): JsonObject {
  const { value } = decodeJson(readFileSync(join(folder, `${name}.json`)), { duplicates: false });
  assert.ok(isJsonObject(value));
  return value;
}

/** The bytes of a golden file, which are the new ones when they are being updated. */
function golden(file: string, bytes: Buffer): Buffer {
  if (process.env['UPDATE_GOLDEN']) writeFileSync(join(folder, file), bytes);
  return readFileSync(join(folder, file));
}

describe('golden files', () => {
  it('exist for every version of every stored kind', () => {
    const kinds = builtInDefinitions(identifiers)
      .filter(({ storage }) => storage)
      .flatMap(({ group, kind, versions }) =>
        versions.map(({ version }) => `${formatApiVersion(group, version)} ${kind}`),
      );
    const found = names.map(source).map((object) => `${textAt(object, ['apiVersion'])} ${textAt(object, ['kind'])}`);
    assert.deepEqual(found.toSorted(), kinds.toSorted());
  });

  for (const { extension, codec } of formats) {
    for (const name of names) {
      it(`have the bytes of ${name}.${extension}`, async () => {
        const value = source(name);
        const bytes = Buffer.concat([...codec.encodeObject(documentOf(value))]);
        const known = golden(`${name}.${extension}`, bytes);
        assert.ok(bytes.equals(known), 'other bytes; UPDATE_GOLDEN=1 writes the file anew');
        const read = await codec.decodeObject(bytes, { duplicates: false, kind: undefined });
        assert.deepEqual(read.value, value);
      });
    }
  }
});
