import assert from 'node:assert/strict';
import type { JsonValue } from '../../src/meta/json-value.ts';
import { valueAt } from './json-paths.ts';
import { normalise } from './normalise.ts';
import type { SequenceStep } from './sequence.ts';

const step: SequenceStep = { method: 'GET', path: '/' };
const uid = '0b6d9a55-8f4e-4f0b-9c3e-0a1b2c3d4e5f';

function normalBody(body: JsonValue, of: SequenceStep = step): JsonValue | undefined {
  return valueAt(normalise({ status: 200, contentType: '', warnings: [], body }, of), ['body']);
}

describe('A normalised answer', () => {
  it('has no identities, versions and allocations', () => {
    const metadata = { name: 'a', uid, resourceVersion: '17', labels: { 'controller-uid': uid } };
    assert.deepEqual(
      normalBody({ metadata, spec: { clusterIP: '10.0.0.7', ports: [{ port: 80, nodePort: 31_000 }] } }),
      {
        metadata: { name: 'a', uid: '<uid>', resourceVersion: '<version>', labels: { 'controller-uid': '<uid>' } },
        spec: { clusterIP: '<address>', ports: [{ port: 80, nodePort: '<port>' }] },
      },
    );
  });

  it('has no time of the servers, but those of requests', () => {
    const times = { set: '2020-01-01T00:00:00Z', made: new Date().toISOString() };
    assert.deepEqual(normalBody(times), { set: '2020-01-01T00:00:00Z', made: '<now>' });
  });

  it('distinguishes an empty version and one that is no number from a version', () => {
    assert.deepEqual(normalBody([{ resourceVersion: '' }, { resourceVersion: 'x' }]), [
      { resourceVersion: '' },
      { resourceVersion: 'x' },
    ]);
  });

  it('has the fields of a manager under its name, whatever their order and times', () => {
    const entry = (time: string, field: string): JsonValue => ({
      time,
      manager: 'm',
      operation: 'Apply',
      fieldsV1: { [field]: {} },
    });
    const one = normalBody({ managedFields: [entry('1', 'f:a'), entry('2', 'f:b')] });
    const other = normalBody({ managedFields: [entry('3', 'f:b'), entry('3', 'f:a')] });
    assert.deepEqual(Object.values(valueAt(one, ['managedFields']) ?? {}), [{ 'f:a': {}, 'f:b': {} }]);
    assert.equal(JSON.stringify(Object.entries(one ?? {}).length), JSON.stringify(Object.entries(other ?? {}).length));
  });

  it('counts the causes of an error and leaves out their texts', () => {
    const cause = (message: string): JsonValue => ({ field: 'spec', reason: 'FieldValueInvalid', message });
    assert.deepEqual(normalBody({ causes: [cause('a'), cause('b')] }), { causes: { 'spec FieldValueInvalid': 2 } });
  });

  it('has a generated name without its end', () => {
    const create: SequenceStep = { method: 'POST', path: '/', body: { metadata: { generateName: 'a-' } } };
    assert.deepEqual(normalBody({ kind: 'Pod', metadata: { name: 'a-x1y2z' } }, create), {
      kind: 'Pod',
      metadata: { name: 'a-<5>' },
    });
  });
});
