import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, objectsAt } from '../../../src/meta/read-field.ts';
import { definition } from '../../../src/resources/apps/statefulsets/strategy.ts';
import { context } from './context.ts';

describe('stateful sets', () => {
  it('say of their templates that they are claims, and what a claim is at first', () => {
    const set: JsonObject = { spec: { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }] } };
    definition.strategy.default?.(set, context);
    assert.deepEqual(objectsAt(objectAt(set, 'spec'), 'volumeClaimTemplates'), [
      {
        kind: 'PersistentVolumeClaim',
        apiVersion: 'v1',
        metadata: { name: 'data' },
        spec: {},
        status: { phase: 'Pending' },
      },
    ]);
  });
});
