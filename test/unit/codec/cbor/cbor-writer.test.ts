import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { objectForm } from '../../../../src/codec/cbor/cbor-form.ts';
import { createCborCodec } from '../../../../src/codec/cbor/cbor-codec.ts';
import { CborReader } from '../../../../src/codec/cbor/cbor-reader.ts';
import { CborWriter } from '../../../../src/codec/cbor/cbor-writer.ts';
import { fromHalf, toHalf } from '../../../../src/codec/cbor/half-float.ts';
import { decodeJson } from '../../../../src/codec/decode-json.ts';
import { documentOf } from '../../../../src/codec/document.ts';
import { identifiersOf } from '../../../../src/identifiers/identifiers.ts';
import { isJsonObject, type JsonValue } from '../../../../src/meta/json-value.ts';
import { packageRoot } from '../../../../src/package/package-root.ts';
import { schemaOf } from '../../../../src/scheme/schema-of.ts';

function write(value: JsonValue, schema?: string): Buffer {
  const writer = new CborWriter();
  writer.value(value, schema === undefined ? undefined : objectForm(schemaOf(schema)));
  return writer.finish();
}

/** The bytes that the encoder of kube-apiserver makes of values without a schema. */
const encodings: readonly (readonly [value: JsonValue, hex: string])[] = [
  [0, '00'],
  [23, '17'],
  [24, '1818'],
  [65_536, '1a00010000'],
  [2 ** 53 - 1, '1b001fffffffffffff'],
  [2n ** 63n - 1n, '1b7fffffffffffffff'],
  [-1, '20'],
  [-(2n ** 63n), '3b7fffffffffffffff'],
  [2n ** 63n, 'fa5f000000'],
  [10n ** 30n, 'fb46293e5939a08cea'],
  [1.5, 'f93e00'],
  [-0, 'f98000'],
  [100_000.5, 'fa47c35040'],
  [1.1, 'fb3ff199999999999a'],
  [1e300, 'fb7e37e43c8800759c'],
  ['', '40'],
  ['a', '4161'],
  ['ü', '42c3bc'],
  ['x'.repeat(24), `5818${'78'.repeat(24)}`],
  ['ü'.repeat(12), `5818${'c3bc'.repeat(12)}`],
  [{ b: 1, aa: 2, a: null }, 'a3 4161 f6 4162 01 426161 02'],
  [[true, [], {}], '83 f5 80 a0'],
];

describe('the writer of CBOR', () => {
  for (const [value, hex] of encodings) {
    it(`writes ${hex} as kube-apiserver does`, () => {
      assert.equal(write(value).toString('hex'), hex.replaceAll(' ', ''));
    });
  }

  it('leaves no bytes of a failed object in the next one', () => {
    const codec = createCborCodec(identifiersOf('cluster'));
    const next = documentOf({ kind: 'Gizmo' });
    const expected = Buffer.concat([...codec.encodeObject(next)]);
    let nested: JsonValue = [];
    for (let depth = 0; depth < 100_000; depth++) nested = [nested];
    assert.throws(() => codec.encodeObject(documentOf({ a: 'secret', nested })), RangeError);
    assert.deepEqual(Buffer.concat([...codec.encodeObject(next)]), expected);
  });

  it('orders keys by their bytes, not by their characters', () => {
    const keys = ['\u{1f600}', '\uffff_', 'abcd', 'é12'];
    const value = Object.fromEntries(keys.map((key) => [key, 0]));
    const sorted = Buffer.concat(
      keys
        .map((key) => write(key))
        .toSorted((a, b) => Buffer.compare(a, b))
        .flatMap((key) => [key, Buffer.from([0])]),
    );
    assert.equal(write(value).subarray(1).toString('hex'), sorted.toString('hex'));
  });

  it('writes bytes of a schema as bytes with a tag, and floating-point numbers as such', () => {
    assert.equal(write({ data: { a: 'AQID' } }, 'api.core.v1.Secret').toString('hex'), 'a14464617461a14161d643010203');
    const limits = write({ maximum: 1, maxLength: 1 }, 'api.apiextensions.v1.JSONSchemaProps').toString('hex');
    assert.equal(limits, 'a2476d6178696d756df93c00496d61784c656e67746801');
  });

  it('knows each number of 16 bits', () => {
    for (let bits = 0; bits < 0x10000; bits++) {
      const value = fromHalf(bits);
      if (Number.isFinite(value)) assert.equal(toHalf(value), bits);
    }
    for (const value of [65_520, 1e300, 2 ** -25, 1 + 2 ** -11]) assert.equal(toHalf(value), undefined);
  });

  it('writes values that are read again as they were', () => {
    const text = fc.string({ unit: 'binary' });
    const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    const large = fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n });
    const leaf = fc.oneof(text, number, large, fc.boolean(), fc.constant(null));
    const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        leaf,
        fc.array(tie('tree'), { maxLength: 30 }),
        fc.dictionary(text, tie('tree'), { maxKeys: 30, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        assert.deepEqual(new CborReader(write(value)).document(undefined), value);
      }),
      { numRuns: 300 },
    );
  });
});

describe('every kind in CBOR', () => {
  const codec = createCborCodec(identifiersOf('kubernetes'));
  const folder = join(packageRoot(), 'test/golden');
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

  it('is read as it was written', async () => {
    assert.ok(files.length > 50);
    for (const file of files) {
      const { value } = decodeJson(readFileSync(join(folder, file)), { duplicates: false });
      assert.ok(isJsonObject(value));
      const bytes = Buffer.concat([...codec.encodeObject(documentOf(value))]);
      assert.equal(bytes.toString('hex', 0, 3), 'd9d9f7', file);
      const read = await codec.decodeObject(bytes, { duplicates: true, kind: undefined });
      assert.deepEqual(read.value, value, file);
    }
  });
});
