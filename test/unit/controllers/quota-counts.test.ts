import assert from 'node:assert/strict';
import { evaluators } from '../../../src/admission/plugins/resource-quota/evaluators.ts';
import { isCounted } from '../../../src/controllers/resourcequota/reconcile.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';

const evaluatorOf = evaluators(identifiersOf('cluster'));
const exists = ({ resource }: { readonly resource: string }): boolean => resource !== 'widgets';

describe('the count of a quota', () => {
  it('is complete without the use of what cannot be counted', () => {
    const hard = { pods: '1', 'count/events': '1', 'count/widgets.example.com': '1' };
    assert.equal(isCounted({ spec: { hard }, status: { hard, used: { pods: '0' } } }, evaluatorOf, exists), true);
    assert.equal(isCounted({ spec: { hard }, status: { hard, used: {} } }, evaluatorOf, exists), false);
    assert.equal(
      isCounted({ spec: { hard }, status: { hard, used: { pods: '0' } } }, evaluatorOf, () => true),
      false,
    );
  });

  it('of claims by class has claims that have it, request it or are changing to it', () => {
    const evaluator = evaluatorOf('', 'persistentvolumeclaims');
    const isCountedAs = (wanted: string, current: string, target?: string): readonly string[] =>
      ['gold', 'silver'].filter((name) => {
        const modified =
          target === undefined ? {} : { modifyVolumeStatus: { targetVolumeAttributesClassName: target } };
        const status = { currentVolumeAttributesClassName: current, ...modified };
        const claim = { metadata: {}, spec: { volumeAttributesClassName: wanted }, status };
        const term = { scope: 'VolumeAttributesClass', operator: 'In', values: [name] } as const;
        return evaluator?.isInScope?.(claim as never, term);
      });
    assert.deepEqual(isCountedAs('silver', 'silver'), ['silver']);
    assert.deepEqual(isCountedAs('gold', 'silver'), ['gold', 'silver']);
    assert.deepEqual(isCountedAs('gold', 'gold', 'silver'), ['gold', 'silver']);
    assert.deepEqual(isCountedAs('gold', 'gold'), ['gold']);
  });
});
