import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { limitScaling } from '../../../src/controllers/horizontalpodautoscaling/limit-scaling.ts';
import {
  newHistory,
  type ScalingHistory,
  withChange,
} from '../../../src/controllers/horizontalpodautoscaling/scaling-history.ts';
import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from '../../../src/gen/types/autoscaling-v2.ts';

const nowMs = 10_000_000;
const empty: ScalingHistory = { recommendations: [], added: [], removed: [] };
type WantedScale = Parameters<typeof limitScaling>[0];

const wantedOf = (current: number, desired: number, more: Partial<WantedScale> = {}): WantedScale => ({
  current,
  desired,
  min: 1,
  max: 100,
  behavior: undefined,
  downscaleWindowMs: 300_000,
  nowMs,
  ...more,
});
const past = (...entries: readonly (readonly [replicas: number, agoMs: number])[]): ScalingHistory => ({
  ...empty,
  recommendations: entries.map(([replicas, agoMs]) => ({ replicas, timeMs: nowMs - agoMs })),
});
const usualUp: HPAScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const usualDown: HPAScalingRules = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};
const behaving = (up: HPAScalingRules = {}, down: HPAScalingRules = {}): HorizontalPodAutoscalerBehavior => ({
  scaleUp: { ...usualUp, ...up },
  scaleDown: { ...usualDown, ...down },
});
const outcome = (wanted: WantedScale, history = empty): string => {
  const { replicas, stabilized, limited } = limitScaling(wanted, history);
  return `${replicas} ${stabilized.reason} ${limited.isLimited} ${limited.reason}`;
};

describe('the limits of scaling without a behavior', () => {
  const stories = [
    ['does what is asked for', wantedOf(3, 5), empty, '5 ReadyForNewScale false DesiredWithinRange'],
    ['at most doubles', wantedOf(3, 50), empty, '6 ReadyForNewScale true ScaleUpLimit'],
    ['allows four', wantedOf(1, 50), empty, '4 ReadyForNewScale true ScaleUpLimit'],
    ['holds the maximum', wantedOf(8, 50, { max: 10 }), empty, '10 ReadyForNewScale true TooManyReplicas'],
    ['holds the minimum', wantedOf(8, 0, { min: 2 }), empty, '2 ReadyForNewScale true TooFewReplicas'],
    [
      'holds the greatest recent number',
      wantedOf(8, 2),
      past([7, 1000], [4, 500]),
      '7 ScaleDownStabilized false DesiredWithinRange',
    ],
    [
      'forgets numbers of before the window',
      wantedOf(8, 2),
      past([7, 300_000], [4, 500]),
      '4 ScaleDownStabilized false DesiredWithinRange',
    ],
  ] as const;
  for (const [name, wanted, history, expected] of stories) {
    it(name, () => assert.equal(outcome(wanted, history), expected));
  }
});

describe('the limits of scaling with a behavior', () => {
  const byPods = (value: number, periodSeconds = 60) => [{ type: 'Pods', value, periodSeconds }];
  const byBoth = [...byPods(2), { type: 'Percent', value: 50, periodSeconds: 60 }];
  const stories = [
    [
      'takes the policy that allows most',
      wantedOf(10, 90, { behavior: behaving({ policies: byBoth }) }),
      '15 ReadyForNewScale true ScaleUpLimit',
    ],
    [
      'or least',
      wantedOf(10, 90, { behavior: behaving({ policies: byBoth, selectPolicy: 'Min' }) }),
      '12 ReadyForNewScale true ScaleUpLimit',
    ],
    [
      'or none',
      wantedOf(10, 90, { behavior: behaving({ selectPolicy: 'Disabled' }) }),
      '10 ReadyForNewScale true ScaleUpLimit',
    ],
    [
      'does so downwards: most',
      wantedOf(10, 1, { behavior: behaving({}, { policies: byBoth }) }),
      '5 ReadyForNewScale true ScaleDownLimit',
    ],
    [
      'least',
      wantedOf(10, 1, { behavior: behaving({}, { policies: byBoth, selectPolicy: 'Min' }) }),
      '8 ReadyForNewScale true ScaleDownLimit',
    ],
    [
      'none',
      wantedOf(10, 1, { behavior: behaving({}, { selectPolicy: 'Disabled' }) }),
      '10 ReadyForNewScale true ScaleDownLimit',
    ],
    [
      'holds the maximum',
      wantedOf(10, 90, { behavior: behaving(), max: 12 }),
      '12 ReadyForNewScale true TooManyReplicas',
    ],
    ['holds the minimum', wantedOf(10, 1, { behavior: behaving(), min: 3 }), '3 ReadyForNewScale true TooFewReplicas'],
  ] as const;
  for (const [name, wanted, expected] of stories) it(name, () => assert.equal(outcome(wanted), expected));

  it('counts the changes of the period of a policy', () => {
    const behavior = behaving({ policies: byPods(4) }, { policies: byPods(4) });
    const grown = withChange(empty, 5, 8, nowMs - 30_000);
    assert.equal(outcome(wantedOf(8, 50, { behavior }), grown), '9 ReadyForNewScale true ScaleUpLimit');
    assert.equal(
      outcome(wantedOf(8, 50, { behavior, nowMs: nowMs + 40_000 }), grown),
      '12 ReadyForNewScale true ScaleUpLimit',
    );
    const shrunk = withChange(empty, 9, 8, nowMs - 30_000);
    assert.equal(outcome(wantedOf(8, 1, { behavior }), shrunk), '5 ReadyForNewScale true ScaleDownLimit');
    // What was removed may come back.
    assert.equal(outcome(wantedOf(8, 50, { behavior }), shrunk), '13 ReadyForNewScale true ScaleUpLimit');
  });

  it('waits for the window of either direction', () => {
    const behavior = behaving({ stabilizationWindowSeconds: 60 }, { stabilizationWindowSeconds: 120 });
    const up = wantedOf(5, 9, { behavior });
    assert.equal(outcome(up, past([6, 30_000])), '6 ScaleUpStabilized false DesiredWithinRange');
    assert.equal(outcome(up, past([6, 60_000])), '9 ReadyForNewScale false DesiredWithinRange');
    const down = wantedOf(5, 2, { behavior });
    assert.equal(outcome(down, past([4, 100_000])), '4 ScaleDownStabilized false DesiredWithinRange');
    assert.equal(outcome(down, past([4, 120_000])), '2 ReadyForNewScale false DesiredWithinRange');
  });

  it('uses the window of the flag for scaling down that has none of its own', () => {
    const wanted = wantedOf(5, 2, { behavior: behaving(), downscaleWindowMs: 1000 });
    assert.equal(limitScaling(wanted, past([4, 999])).replicas, 4);
    assert.equal(limitScaling(wanted, past([4, 1000])).replicas, 2);
  });
});

describe('any limited number of pods', () => {
  const policy = fc.record({
    type: fc.constantFrom('Pods', 'Percent'),
    value: fc.integer({ min: 1, max: 200 }),
    periodSeconds: fc.integer({ min: 1, max: 1800 }),
  });
  const rules = fc.record({
    stabilizationWindowSeconds: fc.integer({ min: 0, max: 3600 }),
    selectPolicy: fc.constantFrom('Max', 'Min', 'Disabled'),
    policies: fc.array(policy, { minLength: 1, maxLength: 3 }),
  });
  const behavior = fc.option(fc.record({ scaleUp: rules, scaleDown: rules }), { nil: undefined });
  const history = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 4_000_000 })), {
    maxLength: 6,
  });

  it('is between the bounds, and not beyond the recommendations in the direction of the change', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 200 }),
        behavior,
        history,
        (current, desired, rule, entries) => {
          const known = past(...entries);
          const { replicas } = limitScaling(wantedOf(current, desired, { behavior: rule, max: 60 }), known);
          assert.ok(Number.isInteger(replicas) && replicas >= 1 && replicas <= 60, String(replicas));
          const greatest = Math.max(current, desired, ...entries.map(([count]) => count));
          assert.ok(replicas <= greatest, `${replicas} > ${greatest}`);
          if (rule && desired >= current) assert.ok(replicas >= Math.min(current, 60));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('reaches a constant number in the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }), (start, desired) => {
        let [current, known] = [start, newHistory(start, 0)];
        for (let step = 1; step <= 60; step++) {
          const stepMs = step * 15_000;
          const result = limitScaling(wantedOf(current, desired, { nowMs: stepMs, behavior: behaving() }), known);
          known = withChange(result.history, current, result.replicas, stepMs);
          current = result.replicas;
        }
        assert.equal(current, desired);
      }),
    );
  });
});
