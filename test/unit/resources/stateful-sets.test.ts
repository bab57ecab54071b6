import assert from 'node:assert/strict';
import type { StatefulSet } from '../../../src/gen/stored/apps-v1.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { strategy } from '../../../src/resources/apps/statefulsets/strategy.ts';
import { complete, context } from './context.ts';

function defaulted(spec: JsonObject): StatefulSet['spec'] {
  const set = complete('api.apps.v1.StatefulSet', { spec }) as StatefulSet;
  strategy.default?.(set, context);
  return set.spec;
}

describe('stateful sets', () => {
  it('say of their templates that they are claims, and what a claim is at first', () => {
    const [claim] = defaulted({ volumeClaimTemplates: [{ metadata: { name: 'data' } }] }).volumeClaimTemplates ?? [];
    assert.equal(claim?.kind, 'PersistentVolumeClaim');
    assert.equal(claim.apiVersion, 'v1');
    assert.deepEqual(claim.status, { phase: 'Pending' });
  });

  const strategies: readonly (readonly [what: string, sent: JsonObject, full: JsonObject])[] = [
    ['no strategy', {}, { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, partition: 0 } }],
    ['a type alone', { type: 'RollingUpdate' }, { type: 'RollingUpdate' }],
    [
      'a type and no partition',
      { type: 'RollingUpdate', rollingUpdate: {} },
      { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, partition: 0 } },
    ],
    ['another type', { type: 'OnDelete' }, { type: 'OnDelete' }],
  ];
  for (const [what, updateStrategy, full] of strategies) {
    it(`roll out by default: ${what}`, () => {
      assert.deepEqual(defaulted({ updateStrategy }).updateStrategy, full);
    });
  }
});
