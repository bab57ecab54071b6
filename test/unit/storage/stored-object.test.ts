import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { fieldSetOf } from '../../../src/apply/field-set.ts';
import { encodeFieldsV1 } from '../../../src/apply/fields-v1.ts';
import { internedFieldsV1 } from '../../../src/apply/field-set-interner.ts';
import { decodeJson } from '../../../src/codec/decode-json.ts';
import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { cachedObject, isUnchanged } from '../../../src/storage/objects/resource-reading.ts';
import {
  decodeStoredObject,
  encodeObjectParts,
  encodeStoredObject,
} from '../../../src/storage/objects/stored-object.ts';
import { code, pod } from './fixture.ts';

const names = { namespace: 'default', name: 'x' };
const read = (value: Uint8Array, revision = 7) => cachedObject({ key: '/k', value, revision }, names);
const shown = (value: JsonObject, revision = 7) => read(encodeStoredObject(value), revision).json.toString();

describe('the envelope of stored objects', () => {
  it('is ten bytes in front of the JSON without resourceVersion', () => {
    const bytes = encodeStoredObject({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'x', uid: 'u', resourceVersion: '3', labels: { a: 'b' } },
      spec: {},
    });
    const json = '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"x","uid":"u","labels":{"a":"b"}},"spec":{}}';
    const header = Buffer.from([0x63, 0x6c, 1, 0, 0, 32, 0, 0, 0, 64]);
    assert.equal(bytes.toString('latin1'), Buffer.concat([header, Buffer.from(json)]).toString('latin1'));
  });

  it('shows the revision behind the uid, where the API writes it', () => {
    assert.equal(
      shown(pod('default', 'x'), 12),
      '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"x","namespace":"default","uid":"uid-x","resourceVersion":"12","labels":{}}}',
    );
    assert.equal(
      shown({ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'x', uid: 'u' } }),
      '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"x","uid":"u","resourceVersion":"7"}}',
    );
  });

  it('shows the revision first where there is no uid', () => {
    assert.equal(
      shown({ kind: 'P', apiVersion: 'v1', metadata: { name: 'x' } }),
      '{"kind":"P","apiVersion":"v1","metadata":{"resourceVersion":"7","name":"x"}}',
    );
    assert.equal(
      shown({ kind: 'P', apiVersion: 'v1', metadata: {} }),
      '{"kind":"P","apiVersion":"v1","metadata":{"resourceVersion":"7"}}',
    );
  });

  it('is written as an item of a list without its type, or with it if items have one', () => {
    const value = encodeStoredObject(pod('default', 'x'));
    for (const typedItems of [false, true]) {
      const object = cachedObject({ key: '/k', value, revision: 7 }, { ...names, typedItems });
      const item = Buffer.alloc(object.itemBytes + 1);
      assert.equal(object.copyItem(item, 1), item.length);
      const json = object.json.toString();
      assert.equal(item.toString('utf8', 1), `,{${json.slice(typedItems ? 1 : json.indexOf('"metadata"'))}`);
    }
  });

  it('gives back every object with its resourceVersion, and the same under another revision', () => {
    const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<never>;
    const metadata = fc.dictionary(fc.oneof(fc.constantFrom('uid', 'name', 'labels', '1'), fc.string()), json);
    const others = fc.dictionary(fc.oneof(fc.constantFrom('spec', '7', '__proto__', 'é'), fc.string()), json);
    fc.assert(
      fc.property(others, metadata, fc.string(), fc.nat(), fc.nat(), (rest, meta, kind, revision, later) => {
        delete meta['resourceVersion'];
        const value = { ...rest, kind, apiVersion: 'v1', metadata: meta };
        const object = read(encodeStoredObject(value), revision);
        const expected = (resourceVersion: string) =>
          decodeJson(Buffer.from(JSON.stringify({ ...value, metadata: { ...meta, resourceVersion } })), {
            duplicates: false,
          });
        assert.deepEqual(object.decode(), expected(String(revision)).value);
        const moved = object.withRevision(later);
        assert.equal(moved.revision, later);
        assert.deepEqual(moved.decode(), expected(String(later)).value);
        assert.ok(isUnchanged(object, encodeStoredObject(object.decode())));
      }),
      { numRuns: 300 },
    );
  });

  it('is the same whether its parts are known already or not', () => {
    const part = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.string({ minLength: 300, maxLength: 400 }),
    ) as fc.Arbitrary<JsonValue>;
    const parts = fc.dictionary(fc.oneof(fc.constantFrom('spec', 'data', '7', 'é'), fc.string()), part);
    const managers = fc.array(
      fc.record(
        { manager: fc.string(), known: fc.boolean(), field: fc.string(), 'é"': fc.string() },
        { requiredKeys: ['known'] },
      ),
    );
    const managed = managers.map((list) =>
      list.map(({ known, field = 'a', ...rest }): JsonObject => {
        const set = fieldSetOf([['f:metadata', `f:${field.repeat(300)}`]]);
        return { ...rest, fieldsV1: known ? internedFieldsV1(set) : encodeFieldsV1(set), time: 't' };
      }),
    );
    fc.assert(
      fc.property(parts, parts, managed, fc.boolean(), (before, after, managedFields, last) => {
        const metadata: JsonObject = { name: 'x', uid: 'u', managedFields, ...(last ? {} : { more: 1 }) };
        const first = encodeObjectParts({ ...before, kind: 'K', apiVersion: 'v1', metadata });
        const next = { ...before, ...after, kind: 'K', apiVersion: 'v1', metadata };
        // A clone shares nothing with what is known.
        const anew = encodeStoredObject(structuredClone(next));
        assert.equal(encodeObjectParts(next, first).bytes.toString(), anew.toString());
      }),
      { numRuns: 300 },
    );
  });

  it('keeps integers beyond 2^53', () => {
    const object = read(encodeStoredObject(pod('default', 'x', {}, { spec: { big: 9223372036854775807n } })));
    assert.ok(object.json.includes('"big":9223372036854775807'));
    assert.deepEqual(object.decode()['spec'], { big: 9223372036854775807n });
  });

  it('is refused as corrupt where it cannot be read, whatever the bytes', () => {
    const good = encodeStoredObject(pod('default', 'x'));
    for (const bad of [Buffer.alloc(0), Buffer.from('{"kind":"Pod"}'), good.subarray(0, 9), good.subarray(0, 20)]) {
      assert.throws(() => read(bad), code('Corrupt'));
    }
    for (const [place, byte] of [
      [2, 2],
      [3, 1],
      [4, 255],
      [6, 255],
    ] as const) {
      const bad = Buffer.from(good);
      bad[place] = byte;
      assert.throws(() => decodeStoredObject('/k', bad), code('Corrupt'));
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(good.length - 1), (bytes, place) => {
        const bad = Buffer.from(good);
        bad.set(bytes.subarray(0, good.length - place), place);
        try {
          read(bad).decode();
        } catch (error) {
          assert.ok(code('Corrupt')(error));
        }
      }),
    );
  });

  it('indexes labels and fields once', () => {
    let calls = 0;
    const fieldsOf = (object: JsonObject) => {
      calls++;
      return { 'status.phase': object['phase'] === 'Running' ? 'Running' : '' };
    };
    const value = encodeStoredObject(pod('default', 'x', { app: 'a' }, { phase: 'Running' }));
    const object = cachedObject({ key: '/k', value, revision: 3 }, { ...names, decoding: { fieldsOf } });
    assert.equal(calls, 0);
    assert.equal(object.index().labels.get('app'), 'a');
    assert.equal(object.index().fields.get('status.phase'), 'Running');
    assert.equal(object.index().fields.get('metadata.name'), 'x');
    assert.equal(object.index().fields.get('metadata.namespace'), 'default');
    assert.equal(calls, 1);
  });
});
