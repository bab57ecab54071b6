import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { objectForm } from '../../../../src/codec/cbor/cbor-form.ts';
import { CborReader } from '../../../../src/codec/cbor/cbor-reader.ts';
import { CborWriter } from '../../../../src/codec/cbor/cbor-writer.ts';
import { DecodeError } from '../../../../src/codec/decode-error.ts';
import { valueLimit } from '../../../../src/codec/value-limit.ts';
import { depthLimit } from '../../../../src/json/scan-json.ts';
import type { JsonValue } from '../../../../src/meta/json-value.ts';
import { schemaOf } from '../../../../src/scheme/schema-of.ts';
import { StatusError } from '../../../../src/status/status-error.ts';

function read(hex: string): JsonValue {
  return new CborReader(Buffer.from(hex.replaceAll(' ', ''), 'hex')).document(undefined);
}

/** Documents and their values; many are of RFC 8949, appendix A. */
const values: readonly (readonly [hex: string, value: JsonValue])[] = [
  ['00', 0],
  ['1818', 24],
  ['1b000000e8d4a51000', 1_000_000_000_000],
  ['1b7fffffffffffffff', 2n ** 63n - 1n],
  ['3903e7', -1000],
  ['3b7fffffffffffffff', -(2n ** 63n)],
  ['1b001fffffffffffff', 2 ** 53 - 1],
  ['3b001fffffffffffff', -(2n ** 53n)],
  ['f98000', -0],
  ['f93e00', 1.5],
  ['f97bff', 65504],
  ['f90001', 5.960464477539063e-8],
  ['f90400', 0.00006103515625],
  ['fa47c35000', 100_000],
  ['fb3ff199999999999a', 1.1],
  ['f4', false],
  ['f5', true],
  ['f6', null],
  ['4161', 'a'],
  ['6161', 'a'],
  ['62c3bc', 'ü'],
  // Bytes that are no UTF-8, as in Go's JSON.
  ['42c328', '\ufffd('],
  ['5f426162ff', 'ab'],
  ['7f657374726561646d696e67ff', 'streaming'],
  ['9fff', []],
  ['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
  ['bf61610161629f0203ffff', { a: 1, b: [2, 3] }],
  ['a1416101', { a: 1 }],
  ['d9d9f7a0', {}],
];

describe('the reader of CBOR', () => {
  for (const [hex, value] of values) {
    it(`reads ${hex} as kube-apiserver does`, () => assert.deepEqual(read(hex), value));
  }

  const tagged: readonly (readonly [what: string, hex: string, value: JsonValue])[] = [
    ['bytes that are base64 in JSON', 'd6 43 010203', 'AQID'],
    ['bytes that are base64 for addresses', 'd5 42 fbff', '-_8'],
    ['bytes that are hexadecimal', 'd7 42 fbff', 'fbff'],
    ['all bytes below such a tag', 'd6 82 4101 a1 4161 4102', ['AQ==', { 'YQ==': 'Ag==' }]],
    ['texts below such a tag', 'd6 82 6161 d7 4101', ['a', '01']],
    ['a time as text', 'c0 78 1d 323031332d30332d32315432303a30343a30302e3530302b30303a3030', '2013-03-21T20:04:00.5Z'],
    ['a time in seconds', 'c1 1a514b67b0', '2013-03-21T20:04:00Z'],
    ['a time in seconds with a fraction', 'c1 fb41d452d9ec200000', '2013-03-21T20:04:00.5Z'],
    ['a time before 1970', 'c1 f9b800', '1969-12-31T23:59:59.5Z'],
    ['a tag without a meaning', 'd864 a0', {}],
  ];
  for (const [what, hex, value] of tagged) {
    it(`reads ${what}`, () => assert.deepEqual(read(hex), value));
  }

  const refused: readonly (readonly [what: string, hex: string, message: RegExp | string])[] = [
    ['no bytes', '', 'EOF'],
    ['half an argument', '19 01', 'unexpected EOF'],
    ['half a text', '62 61', 'unexpected EOF'],
    ['an array that is longer than the document', '9b ffffffffffffffff 00', 'unexpected EOF'],
    ['a text that is longer than memory', '7b 7fffffffffffffff 00', 'unexpected EOF'],
    ['a second document', 'a0 a0', 'cbor: 1 bytes of extraneous data starting at index 1'],
    ['a repeated key', 'a2 4161 01 4161 02', 'cbor: found duplicate map key "a" at map element index 1'],
    ['a key that is text and bytes', 'a2 6161 01 4161 02', 'cbor: found duplicate map key "a" at map element index 1'],
    ['a key that is a number', 'a1 01 02', 'cbor: cannot unmarshal positive integer into Go value of type string'],
    [
      'an integer beyond 64 bits',
      '1b 8000000000000000',
      /positive integer into Go value of type int64 \(9223372036854775808 overflows/,
    ],
    [
      'a negative one',
      '3b 8000000000000000',
      /negative integer into Go value of type int64 \(-9223372036854775809 overflows/,
    ],
    ['an integer of any length', 'c2 49 010000000000000000', /cbor type tag is not accepted by protocol: bignum/],
    ['NaN', 'f97e00', /floating-point NaN/],
    ['an infinite number', 'fa7f800000', /floating-point infinity/],
    ['undefined', 'f7', /simple value 23 is not recognized/],
    ['a simple value of its own', 'f8ff', /simple value 255 is not recognized/],
    ['a simple value that is too long', 'f818', /invalid simple value 24/],
    ['a reserved head', '1c', /invalid additional information 28 for type positive integer/],
    ['text that is no UTF-8', '62c328', 'cbor: invalid UTF-8 string'],
    ['a character in two chunks of text', '7f 61c3 61bc ff', 'cbor: invalid UTF-8 string'],
    [
      'bytes in chunks of text',
      '7f 4161 ff',
      'cbor: wrong element type byte string for indefinite-length UTF-8 text string',
    ],
    ['chunks in chunks', '5f 5f ff ff', /chunk is not definite-length/],
    ['an end without a beginning', 'ff', 'cbor: unexpected "break" code'],
    ['a key without a value', 'bf 6161 ff', 'cbor: unexpected "break" code'],
    ['a number for the text of a time', 'c0 01', /tag number 0 must be followed by text string, got positive integer/],
    ['a text that is no time', 'c0 6161', /cannot set a for time.Time/],
    ['seconds that are a text', 'c1 6161', /tag number 1 must be followed by integer or floating-point number/],
    ['a time after the year 9999', 'c1 1b0000010000000000', /cannot be represented in RFC3339/],
  ];
  for (const [what, hex, message] of refused) {
    it(`refuses ${what}`, () => {
      const matches = (error: unknown): boolean =>
        error instanceof DecodeError &&
        (typeof message === 'string' ? error.message === message : message.test(error.message));
      assert.throws(() => read(hex), matches);
    });
  }

  it('reads bytes of a schema from base64 and from bytes with a tag, and no text', () => {
    const form = objectForm(schemaOf('api.core.v1.Secret'));
    const secret = (value: string): JsonValue =>
      new CborReader(Buffer.from(`a1 44 64617461 a1 4161 ${value}`.replaceAll(' ', ''), 'hex')).document(form);
    assert.deepEqual(secret('d6 42 fbff'), { data: { a: '+/8=' } });
    assert.deepEqual(secret('d5 42 fbff'), { data: { a: '+/8=' } });
    assert.deepEqual(secret('44 2b2f383d'), { data: { a: '+/8=' } });
    assert.throws(() => secret('64 2b2f383d'), /UTF-8 text string into Go value of type \[\]uint8/);
  });

  it('refuses a floating-point number where the schema has an integer', () => {
    const form = objectForm(schemaOf('api.apps.v1.DeploymentSpec'));
    const replicas = (value: string): JsonValue =>
      new CborReader(Buffer.from(`a1 48 7265706c69636173 ${value}`.replaceAll(' ', ''), 'hex')).document(form);
    assert.deepEqual(replicas('03'), { replicas: 3 });
    assert.throws(() => replicas('f94200'), /primitives into Go value of type int64/);
  });

  it('limits the depth and the number of values', () => {
    const nested = (depth: number): string => '81'.repeat(depth) + '00';
    assert.doesNotThrow(() => read(nested(depthLimit)));
    assert.throws(() => read(nested(depthLimit + 1)), /exceeded max nested level/);
    assert.throws(() => read('d864'.repeat(depthLimit + 1) + '00'), /exceeded max nested level/);
    const tooMany = (error: unknown): boolean => error instanceof StatusError && error.code === 413;
    assert.throws(() => read(`9f${'00'.repeat(valueLimit)}ff`), tooMany);
    assert.throws(() => read(`5f${'40'.repeat(valueLimit + 1)}ff`), tooMany);
    assert.doesNotThrow(() => read(`9f${'00'.repeat(valueLimit - 1)}ff`));
  });

  it('reads keys in the order that their JSON has in kube-apiserver, not that of CBOR', () => {
    const value = read('a2 41 62 a2 41 7a 01 42 6161 02 42 6161 03');
    assert.equal(JSON.stringify(value), '{"aa":3,"b":{"aa":2,"z":1}}');
  });

  it('keeps a key that is also a property of objects', () => {
    const value = read('a1 49 5f5f70726f746f5f5f a1 4161 01') as Record<string, unknown>;
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.deepEqual(Object.keys(value), ['__proto__']);
  });

  it('refuses arbitrary and damaged bytes with an error for the client, or reads them', () => {
    const writer = new CborWriter();
    writer.value({ kind: 'Pod', list: [1, -2, 1.5, null, true, { a: 'b', ü: [] }], text: 'x'.repeat(300) }, undefined);
    const whole = writer.finish();
    const damaged = fc
      .array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
      .map((changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of changes) bytes[at] = byte;
        return bytes;
      });
    const arbitrary = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.oneof(damaged, arbitrary), (bytes) => {
        try {
          new CborReader(bytes).document(undefined);
        } catch (error) {
          assert.ok(error instanceof DecodeError || error instanceof StatusError, String(error));
        }
      }),
      { numRuns: 2000 },
    );
  });
});
