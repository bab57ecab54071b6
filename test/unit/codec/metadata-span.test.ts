import assert from 'node:assert/strict';
import { metadataSpan } from '../../../src/codec/metadata-span.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';

const managedFields = [{ manager: 'm', fieldsV1: { 'f:a': { '.': {} } } }];

describe('The span of metadata', () => {
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
        const json = JSON.stringify({ metadata, ...rest }).slice(1);
        const span = metadataSpan(Buffer.from(json));
        assert.equal(Buffer.from(json).subarray(0, span.end).toString(), `"metadata":${JSON.stringify(metadata)}`);
        assert.equal(span.managersAt, 0);
      });
    }
  }

  it('has the place of managed fields that come last', () => {
    const metadata = { name: 'a', managedFields };
    const json = Buffer.from(JSON.stringify({ metadata, spec: {} }).slice(1));
    const { end, managersAt } = metadataSpan(json);
    const without = Buffer.concat([json.subarray(0, managersAt), json.subarray(end - 1)]).toString();
    assert.equal(without, JSON.stringify({ metadata: { name: 'a' }, spec: {} }).slice(1));
  });

  const others: readonly [title: string, metadata: JsonObject][] = [
    ['alone', { managedFields }],
    ['before other fields', { name: 'a', managedFields, other: 1 }],
    ['as a value', { name: 'managedFields' }],
    ['deeper', { annotations: { a: 'b', managedFields: 'x' } }],
  ];
  for (const [title, metadata] of others) {
    it(`has no place for managed fields ${title}`, () => {
      const json = Buffer.from(JSON.stringify({ metadata }).slice(1));
      assert.equal(metadataSpan(json).managersAt, 0);
    });
  }

  it('refuses metadata that does not end', () => {
    assert.throws(() => metadataSpan(Buffer.from('"metadata":{"a":{}')), RangeError);
  });
});
