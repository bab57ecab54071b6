import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, objectsAt } from '../../../src/meta/read-field.ts';
import { strategy } from '../../../src/resources/apps/statefulsets/strategy.ts';
import { context } from './context.ts';

describe('stateful sets', () => {
  it('say of their templates that they are claims, and what a claim is at first', () => {
    const set: JsonObject = { spec: { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }] } };
    strategy.default?.(set, context);
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

  const strategies: readonly (readonly [what: string, sent: JsonObject, full: JsonObject])[] = [
    ['no strategy', {}, { type: 'RollingUpdate', rollingUpdate: { partition: 0 } }],
    ['a type alone', { type: 'RollingUpdate' }, { type: 'RollingUpdate' }],
    [
      'a type and no partition',
      { type: 'RollingUpdate', rollingUpdate: {} },
      { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    ],
    ['another type', { type: 'OnDelete' }, { type: 'OnDelete' }],
  ];
  for (const [what, updateStrategy, full] of strategies) {
    it(`roll out by default: ${what}`, () => {
      const set: JsonObject = { spec: { updateStrategy: structuredClone(updateStrategy) } };
      strategy.default?.(set, context);
      assert.deepEqual(objectAt(set, 'spec', 'updateStrategy'), full);
    });
  }
});
