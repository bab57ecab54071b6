import assert from 'node:assert/strict';
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerStatus } from '../../../src/gen/types/autoscaling-v2.ts';
import { type AutoscalerCalls, reconcile } from '../../../src/controllers/horizontalpodautoscaling/reconcile.ts';

type Conditions = HorizontalPodAutoscalerStatus['conditions'];

/** Reconciles once; returns the written number of pods, and the statuses of the conditions. */
async function reconciled(
  { min, replicas, load, conditions = [] }: { min: number; replicas: number; load: number; conditions?: Conditions },
  remembersZero: boolean,
) {
  let written: number | undefined;
  let status: HorizontalPodAutoscalerStatus | undefined;
  const metrics = { external: async () => load * 1000 } as unknown as ReturnType<
    AutoscalerCalls['contextOf']
  >['metrics'];
  const spec = {
    scaleTargetRef: { kind: 'Deployment', name: 'd' },
    minReplicas: min,
    maxReplicas: 9,
    metrics: [
      {
        type: 'External',
        external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '1' } },
      },
    ],
  };
  const autoscaler = { metadata: { name: 'a' }, spec, status: { conditions } } as unknown as HorizontalPodAutoscaler;
  await reconcile({ ...autoscaler, spec }, undefined, {
    findScale: async () => ({ spec: { replicas }, status: { replicas, selector: 'app=d' } }),
    writeScale: async (count) => {
      written = count;
    },
    updateStatus: async (next) => {
      status = next;
    },
    remember: () => {},
    report: () => {},
    contextOf: () => ({
      pods: [],
      namespace: 'n',
      metrics,
      periods: { cpuInitializationMs: 0, initialReadinessMs: 0, nowMs: 0 },
    }),
    downscaleWindowMs: 0,
    tolerance: 0.1,
    remembersZero,
    nowMs: 1,
  });
  const shown = (status?.conditions ?? []).map(({ type, status: value, reason }) => `${type}=${value} ${reason}`);
  return { written, shown };
}

const scaledToZero = [
  { type: 'ScaledToZero', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z', reason: 'x', message: '' },
];

describe('autoscalers and no pods at all', () => {
  it('scale to zero by a metric that needs no pods, and remember it', async () => {
    const { written, shown } = await reconciled({ min: 0, replicas: 2, load: 0 }, true);
    assert.equal(written, 0);
    assert.ok(shown.includes('ScaledToZero=True ScaledToZero'), shown.join());
  });

  it('leave a target alone that another scaled to zero', async () => {
    const { written, shown } = await reconciled({ min: 0, replicas: 0, load: 5 }, true);
    assert.equal(written, undefined);
    assert.ok(shown.includes('ScalingActive=False ScalingDisabled'), shown.join());
  });

  it('bring back what they scaled to zero', async () => {
    const { written, shown } = await reconciled({ min: 0, replicas: 0, load: 3, conditions: scaledToZero }, true);
    assert.equal(written, 3);
    assert.ok(shown.includes('ScaledToZero=False NotScaledToZero'), shown.join());
  });

  it('scale it up to a raised minimum', async () => {
    const { written } = await reconciled({ min: 2, replicas: 0, load: 0, conditions: scaledToZero }, true);
    assert.equal(written, 2);
  });

  it('scale from zero and write no condition before release 1.36', async () => {
    const { written, shown } = await reconciled({ min: 0, replicas: 0, load: 3 }, false);
    assert.equal(written, 3);
    assert.ok(!shown.some((condition) => condition.startsWith('ScaledToZero')), shown.join());
  });
});
