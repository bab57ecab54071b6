import assert from 'node:assert/strict';
import { trackPods } from '../../../src/controllers/jobs/track-pods.ts';
import type { Job, Pod } from '../../../src/controllers/resources.ts';
import type { JobStatus } from '../../../src/gen/types/batch-v1.ts';

const finalizer = 'example.com/tracking';
const indexAnnotation = 'example.com/index';
const failuresAnnotation = 'example.com/failures';

function pod(uid: string, phase: string, { held = true, deleted = false, index = '' } = {}): Pod {
  return {
    metadata: {
      name: uid,
      uid,
      resourceVersion: '1',
      creationTimestamp: '',
      ...(held ? { finalizers: [finalizer] } : {}),
      ...(deleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
      annotations: index === '' ? {} : { [indexAnnotation]: index },
    },
    spec: { containers: [] },
    status: { phase },
  };
}

function track(pods: readonly Pod[], status: JobStatus, spec: object = {}) {
  const job = { metadata: {}, spec: { completions: 5, ...spec }, status } as unknown as Job;
  const tracked = trackPods({ job, pods, finalizer, indexAnnotation, failuresAnnotation });
  const { succeeded, failed, uncountedTerminatedPods: uncounted } = tracked.status;
  return {
    counts: [tracked.counts.succeeded, tracked.counts.failed],
    written: [succeeded, failed, uncounted],
    released: tracked.release.map(({ metadata }) => metadata.uid),
    indexes: tracked.status.completedIndexes,
  };
}

describe('the pods of a Job', () => {
  it('are listed when they end, and counted when they have lost their finalizer', () => {
    const pods = [pod('a', 'Succeeded'), pod('b', 'Failed'), pod('c', 'Running')];
    const first = track(pods, { succeeded: 1, uncountedTerminatedPods: {} });
    assert.deepEqual(first, {
      counts: [2, 1],
      written: [1, 0, { succeeded: ['a'], failed: ['b'] }],
      released: ['a', 'b'],
      indexes: undefined,
    });
    // One has lost it, and the other is gone: both are counted, once.
    const later = [pod('a', 'Succeeded', { held: false }), pod('c', 'Running')];
    const status = { succeeded: 1, uncountedTerminatedPods: { succeeded: ['a'], failed: ['b'] } };
    assert.deepEqual(track(later, status).written, [2, 1, {}]);
    assert.deepEqual(track(later, { succeeded: 2, failed: 1, uncountedTerminatedPods: {} }).counts, [2, 1]);
  });

  it('are not listed twice when the process ended before they were released', () => {
    const status = { uncountedTerminatedPods: { succeeded: ['a'] } };
    const { counts, written, released } = track([pod('a', 'Succeeded')], status);
    assert.deepEqual([counts, written, released], [[1, 0], [0, 0, { succeeded: ['a'] }], ['a']]);
  });

  it('fail when they are deleted before they succeed', () => {
    const pods = [pod('a', 'Running', { deleted: true }), pod('b', 'Succeeded', { deleted: true })];
    assert.deepEqual(track(pods, { uncountedTerminatedPods: {} }).counts, [1, 1]);
  });

  it('count without a finalizer if the Job was begun without any', () => {
    const pods = [pod('a', 'Succeeded', { held: false }), pod('b', 'Failed', { held: false }), pod('c', 'Succeeded')];
    assert.deepEqual(track(pods, { succeeded: 1 }).written, [1, 1, { succeeded: ['c'] }]);
  });

  it('complete their indexes, each once', () => {
    const pods = [pod('a', 'Succeeded', { index: '0' }), pod('b', 'Succeeded', { index: '3' })];
    const status = { completedIndexes: '0,1', succeeded: 2, uncountedTerminatedPods: {} };
    const { counts, written, indexes } = track(pods, status, { completionMode: 'Indexed' });
    assert.deepEqual([counts, written, indexes], [[3, 0], [3, 0, {}], '0,1,3']);
  });
});
