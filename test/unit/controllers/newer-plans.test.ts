import assert from 'node:assert/strict';
import { planJob } from '../../../src/controllers/jobs/plan-job.ts';
import type { Job, Pod, StatefulSet } from '../../../src/controllers/resources.ts';
import { planStatefulSet } from '../../../src/controllers/statefulsets/plan-stateful-set.ts';

const nowMs = Date.parse('2026-01-01T00:00:00Z');

function pod(name: string, metadata: object, phase = 'Running'): Pod {
  return {
    metadata: { name, uid: name, resourceVersion: '1', creationTimestamp: '2025-01-01T00:00:00Z', ...metadata },
    spec: { containers: [] },
    status: { phase, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

describe('the next step of a job', () => {
  const replaced = (podReplacementPolicy: string): number => {
    const spec = { template: {}, completions: 1, parallelism: 1, podReplacementPolicy };
    const job = { metadata: { name: 'j' }, spec } as unknown as Job;
    const going = pod('j-1', { deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: 30 });
    const counts = { succeeded: 0, failed: 0, indexes: new Set<number>() };
    const names = { indexAnnotation: 'index', failuresAnnotation: 'failures', costAnnotation: 'cost' };
    return planJob({ job, pods: [going], counts, ...names, nowMs: nowMs + 60_000 })?.creations.length ?? 0;
  };

  it('replaces a terminating pod, unless the Job waits for its end', () => {
    assert.deepEqual(['TerminatingOrFailed', 'Failed'].map(replaced), [1, 0]);
  });

  it('reports leftover pods only in releases before 1.25', () => {
    const job = { metadata: { name: 'j' }, spec: { template: {}, completions: 1, parallelism: 2 } } as unknown as Job;
    const counts = { succeeded: 1, failed: 0, indexes: new Set<number>() };
    const names = { indexAnnotation: 'index', failuresAnnotation: 'failures', costAnnotation: 'cost' };
    const reasonsOf = (minor: number) =>
      planJob({ job, pods: [pod('j-1', {})], counts, ...names, minor, nowMs })?.events.map(({ reason }) => reason);
    assert.deepEqual([reasonsOf(24), reasonsOf(36)], [['TooManyActivePods', 'Completed'], ['Completed']]);
  });

  it('waits after failures of the same index only', () => {
    const limits = { completionMode: 'Indexed', backoffLimitPerIndex: 3, backoffLimit: 9 };
    const spec = { template: {}, completions: 2, parallelism: 2, ...limits };
    const job = { metadata: { name: 'j' }, spec } as unknown as Job;
    const finishedAt = '2026-01-01T00:00:00Z';
    const failed = pod('j-0-a', { annotations: { index: '0', failures: '1' } }, 'Failed');
    failed.status = {
      phase: 'Failed',
      containerStatuses: [
        {
          name: 'c',
          image: '',
          imageID: '',
          ready: false,
          restartCount: 0,
          state: { terminated: { exitCode: 1, finishedAt } },
        },
      ],
    };
    const counts = { succeeded: 0, failed: 1, indexes: new Set<number>(), failedIndexes: new Set<number>() };
    const names = { indexAnnotation: 'index', failuresAnnotation: 'failures', costAnnotation: 'cost' };
    const at = (ms: number) => planJob({ job, pods: [failed], counts, ...names, nowMs: nowMs + ms });
    assert.deepEqual([at(5_000)?.creations, at(5_000)?.requeueAfterMs], [[{ index: 1, failures: 0 }], 15_000]);
    assert.deepEqual(at(20_000)?.creations, [
      { index: 0, failures: 2 },
      { index: 1, failures: 0 },
    ]);
  });
});

describe('the next step of a stateful set', () => {
  const replaced = (maxUnavailable: number | string, down: readonly string[] = []): string[] => {
    const set = {
      metadata: { name: 's' },
      spec: { replicas: 4, podManagementPolicy: 'Parallel', updateStrategy: { rollingUpdate: { maxUnavailable } } },
    } as unknown as StatefulSet;
    const found = ['s-0', 's-1', 's-2', 's-3'].map((name) =>
      pod(name, { labels: { revision: 'old' } }, down.includes(name) ? 'Pending' : 'Running'),
    );
    const revisions = { currentRevision: 'old', updateRevision: 'new', revisionLabel: 'revision' };
    const plan = planStatefulSet({ set, pods: found, ...revisions, podNameLabel: 'name', nowMs });
    return plan.deletions.map(({ metadata }) => metadata.name);
  };

  it('replaces as many pods as may be unavailable, among them those that are down', () => {
    assert.deepEqual(replaced(2), ['s-3', 's-2']);
    assert.deepEqual(replaced('25%'), ['s-3']);
    assert.deepEqual(replaced('10%'), ['s-3']);
    assert.deepEqual(replaced(2, ['s-0']), ['s-3', 's-0']);
    assert.deepEqual(replaced(1, ['s-0']), ['s-0']);
  });
});
