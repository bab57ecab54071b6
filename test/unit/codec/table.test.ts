import assert from 'node:assert/strict';
import { partialObjectMetadata } from '../../../src/codec/partial-object-metadata.ts';
import { defaultTable, parseIncludeObject, tableHead, tableRow } from '../../../src/codec/table-definition.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';

const meta = { group: 'meta.k8s.io', version: 'v1' };
const object = {
  kind: 'Role',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  metadata: { name: 'a', creationTimestamp: '2020-01-01T00:00:00Z' },
  rules: [],
};

describe('A Table', () => {
  const context = { nowMs: Date.parse('2020-01-01T00:01:00Z'), identifiers: identifiersOf('kubernetes') };
  const format = {
    meta,
    table: defaultTable,
    complete: (value: JsonObject) => value,
    stored: (value: JsonObject) => value,
    context,
  };
  const cells = ['a', '2020-01-01T00:00:00Z'];

  it('has kind, metadata and the definitions of its columns, or none where the client has them', () => {
    const head = tableHead(format, { resourceVersion: '7' });
    assert.equal(head['kind'], 'Table');
    assert.equal(head['apiVersion'], 'meta.k8s.io/v1');
    assert.deepEqual(head['metadata'], { resourceVersion: '7' });
    assert.deepEqual(
      (head['columnDefinitions'] as JsonObject[]).map(({ name, priority }) => [name, priority]),
      [
        ['Name', 0],
        ['Created At', 0],
      ],
    );
    assert.equal(tableHead(format, {}, false)['columnDefinitions'], null);
  });

  it('carries metadata, nothing or the whole object in rows', () => {
    assert.deepEqual(tableRow({ ...format, includeObject: 'Metadata' }, object), {
      cells,
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
    });
    assert.deepEqual(tableRow({ ...format, includeObject: 'None' }, object), { cells, object: null });
    assert.deepEqual(tableRow({ ...format, includeObject: 'Object' }, object), { cells, object });
  });

  it('has cells and conditions of the stored version, and the object in the version of the request', () => {
    const table = { columns: defaultTable.columns, rowConditions: () => [{ type: 'Completed' }] };
    const stored = () => ({ ...object, metadata: { ...object.metadata, name: 'stored' } });
    assert.deepEqual(tableRow({ ...format, table, stored, includeObject: 'Object' }, object), {
      cells: ['stored', '2020-01-01T00:00:00Z'],
      conditions: [{ type: 'Completed' }],
      object,
    });
  });

  it('can be asked for with three contents of its rows', () => {
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
