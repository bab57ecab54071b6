import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { DecodeError } from '../../../../src/codec/decode-error.ts';
import { createProtobufCodec } from '../../../../src/codec/protobuf/protobuf-codec.ts';
import { identifiersOf } from '../../../../src/identifiers/identifiers.ts';
import type { JsonValue } from '../../../../src/meta/json-value.ts';
import { packageRoot } from '../../../../src/package/package-root.ts';
import { StatusError } from '../../../../src/status/status-error.ts';

const codec = createProtobufCodec(identifiersOf('kubernetes'));
const pod = readFileSync(join(packageRoot(), 'test/golden/core.v1.Pod.pb'));

async function read(bytes: Buffer): Promise<JsonValue> {
  const { value } = await codec.decodeObject(bytes, { duplicates: false, kind: undefined });
  return value;
}

/** An envelope of a ConfigMap around a message. */
function configMap(...message: readonly (number | Buffer)[]): Buffer {
  const raw = Buffer.concat(message.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part)));
  const type = Buffer.from('\n\x02v1\x12\x09ConfigMap');
  return Buffer.concat([
    Buffer.from('k8s\0\n'),
    Buffer.from([type.length]),
    type,
    Buffer.from([0x12]),
    lengthOf(raw),
    raw,
  ]);
}

function lengthOf(bytes: { readonly length: number }): Buffer {
  const varint: number[] = [];
  let rest = bytes.length;
  for (; rest > 127; rest >>>= 7) varint.push((rest & 127) | 128);
  return Buffer.from([...varint, rest]);
}

const tooLong = Buffer.alloc(11, 0xff);

const malformed: readonly (readonly [string, Buffer, RegExp])[] = [
  ['no bytes', Buffer.alloc(0), /empty data/],
  ['a prefix without anything behind it', Buffer.from('k8s\0'), /empty body/],
  ['half a prefix', Buffer.from('k8s'), /expected prefix \[107 56 115 0\]/],
  ['JSON', Buffer.from('{"kind":"ConfigMap"}'), /expected prefix/],
  ['a varint of eleven bytes', configMap(tooLong), /integer overflow/],
  ['a tag beyond 32 bits', configMap(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0x01])), /integer overflow/],
  ['a length beyond the message', configMap(0x0a, Buffer.from([0x80, 0x80, 0x80, 0x30])), /unexpected EOF/],
  ['a length of 2^32 - 1', configMap(0x0a, Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f])), /unexpected EOF/],
  ['a number where a message belongs', configMap(0x08, 0x01), /wrong wireType = 0/],
  ['the field number 0', configMap(0x02, 0x00), /illegal tag 0/],
  ['a group', configMap(0x7b, 0x7c), /illegal wireType 3/],
  ['half a text', configMap(0x0a, 0x03, 0x0a, 0x05, Buffer.from('a')), /unexpected EOF/],
  [
    'managed fields that are no JSON',
    configMap(0x0a, 9, 0x8a, 0x01, 6, 0x3a, 4, 0x0a, 2, Buffer.from('{x')),
    /character/,
  ],
  [
    'a time beyond the year 9999',
    configMap(0x0a, 9, 0x42, 7, 0x08, Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80, 0x7f])),
    /range/,
  ],
];

function field(number: number, ...parts: readonly Buffer[]): Buffer {
  const inner = Buffer.concat(parts);
  return Buffer.concat([lengthOf({ length: number * 8 + 2 }), lengthOf(inner), inner]);
}

function repeated(unit: readonly number[], count: number): Buffer {
  return Buffer.alloc(unit.length * count, Buffer.from(unit));
}

/** A definition whose schema has these fields. */
function schemaOf(...fields: readonly Buffer[]): Buffer {
  const type = [field(1, Buffer.from('apiextensions.k8s.io/v1')), field(2, Buffer.from('CustomResourceDefinition'))];
  const raw = field(2, field(7, field(4, field(1, ...fields))));
  return Buffer.concat([Buffer.from('k8s\0'), field(1, ...type), field(2, raw)]);
}

const many = 1_000_000;
const managers = Buffer.from(`{"a":[${'1,'.repeat(70_000)}1]}`);

/** Bodies of at most 3 MB that have a million of something in a place of its own. */
const dear: readonly (readonly [string, Buffer])[] = [
  ['unknown fields', configMap(repeated([0xf8, 7, 1], many))],
  ['unknown fields of the envelope', Buffer.concat([Buffer.from('k8s\0'), repeated([0x2a, 0], many)])],
  ['unknown fields of a map entry', configMap(field(2, repeated([0x18, 1], many)))],
  ['fields of a time', configMap(field(1, field(8, repeated([8, 1], many))))],
  ['names in a schema', schemaOf(field(32, field(1, Buffer.from('a')), field(2, repeated([0x12, 0], many))))],
  ['schemas in a schema', schemaOf(field(24, repeated([0x12, 0], many)))],
  [
    'values in raw JSON',
    configMap(field(1, ...Array.from({ length: 20 }, () => field(17, field(7, field(1, managers)))))),
  ],
];

describe('a Protobuf body of too many values', () => {
  it('is one of too many in JSON, and not of too many fields', async () => {
    const entries = (count: number): Buffer[] =>
      Array.from({ length: count }, (_, index) =>
        field(2, field(1, Buffer.from(`k${index}`)), field(2, Buffer.from('v'))),
      );
    const { data } = (await read(configMap(...entries(74_000)))) as { data: object };
    assert.equal(Object.keys(data).length, 74_000);
    await assert.rejects(() => read(configMap(...entries(75_000))), { code: 413 });
  });

  for (const [what, bytes] of dear) {
    it(`is refused with 413 before they are made: ${what}`, async () => {
      const start = process.cpuUsage();
      await assert.rejects(() => read(bytes), { code: 413 });
      const { user } = process.cpuUsage(start);
      assert.ok(user < 1_000_000, `${user} us of CPU`);
    });
  }
});

describe('a Protobuf body that is malformed', () => {
  for (const [what, bytes, message] of malformed) {
    it(`is refused: ${what}`, () => assert.rejects(() => read(bytes), { name: /DecodeError/, message }));
  }

  it('is refused where messages nest deeper than any object', () => {
    let schema = Buffer.alloc(0);
    for (let depth = 0; depth < 2000; depth++)
      schema = Buffer.concat([Buffer.from([0xe2, 0x01]), lengthOf(schema), schema]);
    const version = Buffer.concat([Buffer.from([0x22]), lengthOf(schema), schema]);
    assert.ok(version.length > 0);
    const type = Buffer.from('\n\x17apiextensions.k8s.io/v1\x12\x18CustomResourceDefinition');
    const wrap = (tag: number, inner: Buffer): Buffer => Buffer.concat([Buffer.from([tag]), lengthOf(inner), inner]);
    const raw = wrap(0x12, wrap(0x3a, wrap(0x22, wrap(0x0a, schema))));
    const body = Buffer.concat([Buffer.from('k8s\0'), wrap(0x0a, type), wrap(0x12, raw)]);
    return assert.rejects(() => read(body), { message: 'exceeded max depth' });
  });

  it('is refused with 413 where it has too many values, before they are made', () => {
    const items = Buffer.alloc(2 * 100_000, Buffer.from([0x72, 0x00]));
    return assert.rejects(
      () => read(configMap(0x0a, lengthOf(items), items)),
      (error) => {
        assert.ok(error instanceof StatusError);
        assert.equal(error.code, 413);
        return true;
      },
    );
  });

  it('is read as Go reads it where that is possible', async () => {
    const twice = configMap(0x0a, 3, 0x0a, 1, Buffer.from('a'), 0x0a, 3, 0x1a, 1, Buffer.from('n'));
    assert.deepEqual(await read(twice), {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'a', namespace: 'n' },
    });
    const unknown = configMap(
      0xf8,
      0x07,
      0x05,
      0xfa,
      0x07,
      0x01,
      0x00,
      0xf9,
      0x07,
      Buffer.alloc(8),
      0xfd,
      0x07,
      Buffer.alloc(4),
    );
    assert.deepEqual(await read(unknown), { kind: 'ConfigMap', apiVersion: 'v1' });
    const polluting = configMap(0x12, 14, 0x0a, 9, Buffer.from('__proto__'), 0x12, 1, Buffer.from('x'));
    const data = Object.fromEntries([['__proto__', 'x']]);
    assert.deepEqual(await read(polluting), { kind: 'ConfigMap', apiVersion: 'v1', data });
  });

  it('neither crashes nor hangs, whatever is changed or cut', async () => {
    const changes = fc.array(fc.tuple(fc.nat(pod.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    const property = fc.asyncProperty(changes, fc.nat(pod.length), async (bytes, cut) => {
      const changed = Buffer.from(cut % 3 === 0 ? pod.subarray(0, cut) : pod);
      for (const [at, byte] of bytes) if (at < changed.length) changed[at] = byte;
      try {
        await read(changed);
      } catch (error) {
        assert.ok(error instanceof DecodeError || error instanceof StatusError, String(error));
      }
    });
    await fc.assert(property, { numRuns: 3000 });
  });
});
