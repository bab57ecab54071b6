import assert from 'node:assert/strict';
import { partialObjectMetadata } from '../../../src/codec/partial-object-metadata.ts';
import { prettyJson } from '../../../src/codec/pretty-json.ts';
import { defaultColumns, parseIncludeObject, tableOf } from '../../../src/codec/table.ts';

const meta = { group: 'meta.k8s.io', version: 'v1' };
const object = {
  kind: 'Role',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  metadata: { name: 'a', creationTimestamp: '2020-01-01T00:00:00Z' },
  rules: [],
};

describe('tableOf', () => {
  const source = { meta, metadata: { resourceVersion: '7' }, objects: [object], columns: defaultColumns };

  it('shows name and age, and carries metadata', () => {
    const table = tableOf({ ...source, includeObject: 'Metadata' });
    assert.equal(table['kind'], 'Table');
    assert.equal(table['apiVersion'], 'meta.k8s.io/v1');
    assert.deepEqual(table['rows'], [
      {
        cells: ['a', '2020-01-01T00:00:00Z'],
        object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
      },
    ]);
  });

  it('carries nothing or the whole object when asked to', () => {
    assert.deepEqual(tableOf({ ...source, includeObject: 'None' })['rows'], [
      { cells: ['a', '2020-01-01T00:00:00Z'], object: null },
    ]);
    assert.deepEqual(tableOf({ ...source, includeObject: 'Object' })['rows'], [
      { cells: ['a', '2020-01-01T00:00:00Z'], object },
    ]);
  });

  it('leaves out the definitions of columns where the client has them', () => {
    const table = tableOf({ ...source, includeObject: 'None', withoutDefinitions: true });
    assert.equal(table['columnDefinitions'], null);
  });

  it('knows what rows can carry', () => {
    assert.equal(parseIncludeObject(''), 'Metadata');
    assert.equal(parseIncludeObject('Object'), 'Object');
    assert.equal(parseIncludeObject('Zork'), undefined);
  });
});

describe('partialObjectMetadata', () => {
  it('keeps nothing of an object but its metadata', () => {
    assert.deepEqual(partialObjectMetadata(meta, object), {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: object.metadata,
    });
  });
});

describe('prettyJson', () => {
  it('indents by two spaces, keeps empty values on one line and ends without a newline', () => {
    assert.equal(prettyJson({ a: {}, b: [], c: [1] }), '{\n  "a": {},\n  "b": [],\n  "c": [\n    1\n  ]\n}');
    assert.equal(prettyJson({ a: {}, b: [2n] }), '{\n  "a": {},\n  "b": [\n    2\n  ]\n}');
  });
});
