import assert from 'node:assert/strict';
import { findMetadata, typeEnd } from '../../../src/codec/metadata-place.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';

const type = { kind: 'A', apiVersion: 'v1' };
const managedFields = [{ manager: 'm', fieldsV1: { 'f:a': { '.': {} } } }];

const asIs = (object: JsonObject): JsonObject => object;

describe('The place of metadata', () => {
  const cases: readonly [title: string, metadata: JsonObject][] = [
    ['without fields', {}],
    ['with a name', { name: 'a' }],
    ['with braces and quotes in texts', { annotations: { '}{"\\': '}]"\\', b: '{"a":[{' }, labels: {} }],
    ['with long texts', { annotations: { a: '"}\\'.repeat(50), b: '\u00e4}'.repeat(100) } }],
    ['with lists in lists', { finalizers: [[], [{}], ['a']] }],
  ];
  for (const [title, metadata] of cases) {
    for (const rest of [{}, { spec: { managedFields: [] } }]) {
      it(`${title} ends at its brace, ${'spec' in rest ? 'before' : 'without'} other fields`, () => {
        const json = Buffer.from(JSON.stringify({ ...type, metadata, ...rest }));
        const place = findMetadata(json) ?? assert.fail();
        assert.equal(place.metadataIn(json).toString(), `"metadata":${JSON.stringify(metadata)}`);
        assert.equal(place.withoutManagers(json), json);
      });
    }
  }

  it('has the place of managed fields that come last', () => {
    const metadata = { name: 'a', managedFields };
    const json = Buffer.from(JSON.stringify({ ...type, metadata, spec: {} }));
    const place = findMetadata(json) ?? assert.fail();
    const without = { ...type, metadata: { name: 'a' }, spec: {} };
    assert.equal(place.withoutManagers(json).toString(), JSON.stringify(without));
    assert.deepEqual(place.decodeWithoutManagers(json, asIs), without);
    assert.deepEqual(place.decodeWithoutManagers(json, asIs), without, 'when the bytes have been checked');
  });

  it('asks once whether an object lacks nothing, and each time for one that does', () => {
    for (const [lacks, asked] of [
      [false, 1],
      [true, 3],
    ] as const) {
      const json = Buffer.from(JSON.stringify({ ...type, metadata: {} }));
      const place = findMetadata(json) ?? assert.fail();
      let calls = 0;
      const complete = (object: JsonObject): JsonObject => {
        calls++;
        return lacks ? { ...object, spec: {} } : object;
      };
      for (let time = 0; time < 3; time++) assert.equal('spec' in place.decodeWithoutManagers(json, complete), lacks);
      assert.equal(calls, asked);
    }
  });

  it('decodes what JSON.parse would change, each time', () => {
    for (const fields of [managedFields, undefined]) {
      const metadata = JSON.stringify({ name: 'a', managedFields: fields });
      const json = Buffer.from(`{"kind":"A","apiVersion":"v1","metadata":${metadata},"n":12345678901234567890}`);
      const place = findMetadata(json) ?? assert.fail();
      const decoded = { ...type, metadata: { name: 'a' }, n: 12345678901234567890n };
      for (let time = 0; time < 3; time++) assert.deepEqual(place.decodeWithoutManagers(json, asIs), decoded);
    }
  });

  const others: readonly [title: string, metadata: JsonObject][] = [
    ['alone', { managedFields }],
    ['before other fields', { name: 'a', managedFields, other: 1 }],
    ['as a value', { name: 'managedFields' }],
    ['deeper', { annotations: { a: 'b', managedFields: 'x' } }],
  ];
  for (const [title, metadata] of others) {
    it(`has no place for managed fields ${title}`, () => {
      const json = Buffer.from(JSON.stringify({ ...type, metadata }));
      assert.equal(findMetadata(json)?.withoutManagers(json), json);
    });
  }

  it('refuses metadata that does not end', () => {
    const json = Buffer.from('{"kind":"A","apiVersion":"v1","metadata":{"a":{}');
    assert.throws(() => findMetadata(json), RangeError);
  });

  const elsewhere: readonly JsonObject[] = [
    {},
    { metadata: {} },
    { kind: 'A', metadata: {} },
    { apiVersion: 'v1', kind: 'A', metadata: {} },
    { ...type, spec: { metadata: { name: 'x' } }, metadata: {} },
    { ...type, metadata: null },
    { ...type },
  ];
  for (const object of elsewhere) {
    it(`is not searched in ${JSON.stringify(object)}`, () => {
      assert.equal(findMetadata(Buffer.from(JSON.stringify(object))), undefined);
    });
  }
});

describe('The end of the type', () => {
  it('is behind kind and apiVersion, whatever is in them', () => {
    for (const kind of ['A', '', 'a"b', '\\', '"apiVersion":"', '\u00e4']) {
      const json = Buffer.from(JSON.stringify({ kind, apiVersion: 'a.b/v1', spec: {} }));
      assert.equal(json.subarray(typeEnd(json)).toString(), '"spec":{}}');
    }
  });

  it('is at the first field where they are not the first ones', () => {
    for (const object of [{}, { kind: 'A' }, { kind: 'A', apiVersion: 'v1' }, { kind: 1, apiVersion: 'v1', a: 1 }]) {
      assert.equal(typeEnd(Buffer.from(JSON.stringify(object))), 1);
    }
  });
});
