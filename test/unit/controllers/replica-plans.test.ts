import assert from 'node:assert/strict';
import type { Pod, ReplicaSet } from '../../../src/controllers/resources.ts';
import { planReplicas } from '../../../src/controllers/replicasets/plan-replicas.ts';
import { nextAvailableInMs, replicaStatus } from '../../../src/controllers/replicasets/replica-status.ts';
import { slowStart } from '../../../src/controllers/workloads/pod-control.ts';

const stored = { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
const nowMs = Date.parse('2026-01-01T01:00:00Z');
const costAnnotation = 'cost';

interface PodState {
  readonly node?: string;
  readonly phase?: string;
  readonly readySince?: string;
  readonly cost?: string;
  readonly created?: string;
}

const podOf = (name: string, { node, phase = 'Running', readySince, cost, created }: PodState = {}): Pod => ({
  metadata: {
    ...stored,
    name,
    uid: name,
    labels: { app: 'a' },
    creationTimestamp: created ?? stored.creationTimestamp,
    annotations: cost ? { [costAnnotation]: cost } : {},
  },
  spec: { containers: [], nodeName: node },
  status: {
    phase,
    conditions: readySince ? [{ type: 'Ready', status: 'True', lastTransitionTime: readySince }] : [],
  },
});
const readySince = '2026-01-01T00:30:00Z';
const ready = (name: string, state: PodState = {}) => podOf(name, { node: 'n1', readySince, ...state });
const setOf = (replicas: number, minReadySeconds = 0): ReplicaSet => ({
  metadata: { ...stored, name: 'a', generation: 2 },
  spec: { replicas, minReadySeconds, selector: {}, template: { metadata: { labels: { app: 'a' } } } },
});
const plan = (replicas: number, pods: readonly Pod[]) => {
  const state = { replicaSet: setOf(replicas), pods, relatedPods: () => pods, costAnnotation };
  const { creations, deletions } = planReplicas(state);
  return [creations, deletions.map(({ metadata }) => metadata.name)];
};

describe('plans of ReplicaSets', () => {
  it('create missing pods, in limited numbers, and do not count those that have ended', () => {
    assert.deepEqual(plan(3, [ready('a'), podOf('b', { phase: 'Failed' })]), [2, []]);
    assert.deepEqual(plan(2000, []), [500, []]);
  });

  const worse: readonly (readonly [reason: string, pod: Pod, kept: Pod])[] = [
    ['is on no node', podOf('x', { phase: 'Pending' }), ready('y')],
    ['is pending', ready('x', { phase: 'Pending' }), ready('y')],
    ['is not ready', podOf('x', { node: 'n1' }), ready('y')],
    ['costs less', ready('x', { cost: '-5' }), ready('y')],
    ['was ready later', ready('x', { readySince: '2026-01-01T00:31:00Z' }), ready('y')],
    ['was created later', ready('x', { created: '2026-01-01T00:01:00Z' }), ready('y')],
  ];
  for (const [reason, pod, kept] of worse) {
    it(`delete the pod that ${reason}`, () => {
      assert.deepEqual(plan(1, [kept, pod]), [0, ['x']]);
      assert.deepEqual(plan(1, [pod, kept]), [0, ['x']]);
    });
  }

  it('delete the pod with neighbours on its node', () => {
    assert.deepEqual(plan(2, [ready('a', { node: 'n2' }), ready('b'), ready('c')])[1]?.toString().length, 1);
    assert.notDeepEqual(plan(2, [ready('a', { node: 'n2' }), ready('b'), ready('c')]), [0, ['a']]);
  });

  it('count pods that are ready and available', () => {
    const late = ready('late', { readySince: '2026-01-01T00:59:50Z' });
    const pods = [ready('a'), late, podOf('b')];
    assert.deepEqual(replicaStatus(setOf(3, 30), pods, nowMs), {
      replicas: 3,
      fullyLabeledReplicas: 3,
      readyReplicas: 2,
      availableReplicas: 1,
      observedGeneration: 2,
    });
    assert.equal(nextAvailableInMs(setOf(3, 30), pods, nowMs), 20_000);
    assert.equal(nextAvailableInMs(setOf(3), pods, nowMs), undefined);
  });

  it('report a failure until an attempt succeeds', () => {
    const failed = replicaStatus(setOf(1), [], nowMs, { reason: 'FailedCreate', message: 'no room' });
    assert.deepEqual(
      failed.conditions?.map(({ type, reason, message }) => [type, reason, message]),
      [['ReplicaFailure', 'FailedCreate', 'no room']],
    );
    assert.equal(replicaStatus({ ...setOf(1), status: failed }, [], nowMs).conditions, undefined);
  });

  it('try one creation, then two, and stop after a batch with a failure', async () => {
    const tried: number[] = [];
    const { successes, error } = await slowStart(100, async (index) => {
      tried.push(index);
      if (index === 2) throw new Error('full');
    });
    assert.deepEqual([tried.length, successes, String(error)], [3, 2, 'Error: full']);
  });
});
