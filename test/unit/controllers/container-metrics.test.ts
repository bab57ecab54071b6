import assert from 'node:assert/strict';
import {
  evaluateMetric,
  type MetricContext,
  MetricError,
} from '../../../src/controllers/horizontalpodautoscaling/evaluate-metric.ts';
import type { PodSamples } from '../../../src/controllers/horizontalpodautoscaling/group-pods.ts';
import type { Pod } from '../../../src/controllers/resources.ts';

const pod = {
  metadata: { name: 'p', namespace: 'a', uid: 'u' },
  spec: { containers: [{ name: 'c', resources: { requests: { cpu: '100m' } } }] },
  status: {
    phase: 'Running',
    startTime: '2026-01-01T00:00:00Z',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:10Z' }],
  },
} as unknown as Pod;

/** A target of one pod, and the samples of its containers. */
function contextWith(ofResource: () => Promise<PodSamples>): MetricContext {
  const none = (): Promise<never> => Promise.reject(new Error('not expected'));
  return {
    current: 1,
    present: 1,
    pods: [pod],
    selector: 'app=a',
    namespace: 'a',
    periods: { cpuInitializationMs: 0, initialReadinessMs: 0, nowMs: Date.parse('2026-01-02') },
    tolerances: { below: 0.1, above: 0.1 },
    metrics: { ofResource, ofPods: none, ofObject: none, external: none },
  };
}

const metric = (target: object) => ({
  type: 'ContainerResource',
  containerResource: { name: 'cpu', container: 'c', target: { type: 'x', ...target } },
});

describe('metrics of one container', () => {
  it('are named as those of the whole pod', async () => {
    const sample = { value: 50, windowMs: 30_000, timeMs: Date.parse('2026-01-02') };
    const context = contextWith(() => Promise.resolve(new Map([['p', sample]])));
    const share = await evaluateMetric(metric({ averageUtilization: 50 }), context);
    const average = await evaluateMetric(metric({ averageValue: '25m' }), context);
    assert.deepEqual(
      [share.name, share.replicas, average.name, average.replicas],
      ['cpu resource utilization (percentage of request)', 1, 'cpu resource', 2],
    );
  });

  it('fail in the words of a utilization, whatever their target is', async () => {
    const context = contextWith(() => Promise.reject(new Error('nothing there')));
    for (const target of [{ averageUtilization: 50 }, { averageValue: '25m' }]) {
      await assert.rejects(evaluateMetric(metric(target), context), (error) => {
        assert.ok(error instanceof MetricError);
        const message = 'failed to get cpu utilization: unable to get metrics for resource cpu: nothing there';
        assert.deepEqual([error.reason, error.message], ['FailedGetContainerResourceMetric', message]);
        return true;
      });
    }
  });
});
