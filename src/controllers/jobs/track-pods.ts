import type { Job, Pod } from '../resources.ts';
import type { JobStatus, UncountedTerminatedPods } from '../../gen/types/batch-v1.ts';
import { hasEnded } from '../../kinds/core/pod.ts';
import { formatIndexes, parseIndexes } from './completed-indexes.ts';
import { failedIndexes } from './index-failures.ts';
import { indexOf, isHeld, isIndexed, isOver } from './job-pods.ts';
import { failureEffect } from './pod-failure-policy.ts';

/** The pods of a Job that have ended. */
export interface JobCounts {
  readonly succeeded: number;
  readonly failed: number;
  /** The completed indexes of an indexed Job. */
  readonly indexes: ReadonlySet<number>;
  /**
   * The indexes that have failed for good; undefined if the Job has no back-off limit per index.
   */
  readonly failedIndexes?: ReadonlySet<number> | undefined;
}

/** A Job, its pods, and the names of their marks. */
interface TrackingState {
  readonly job: Job;
  /** The pods that the Job controls. */
  readonly pods: readonly Pod[];
  /** The finalizer that keeps pods until they have been counted. */
  readonly finalizer: string;
  /** The annotation of a pod with its index. */
  readonly indexAnnotation: string;
  /** The annotation of a pod with the earlier failures of its index. */
  readonly failuresAnnotation: string;
}

/** The count of a Job's pods. */
interface PodTracking {
  readonly counts: JobCounts;
  /** Written before the pods are released, so that each is counted once if this process ends. */
  readonly status: JobStatus;
  /** The pods that have ended and still have the finalizer. */
  readonly release: readonly Pod[];
}

/**
 * Counts the pods of a Job that have ended. A pod with the finalizer is first listed in the status
 * as not counted, then loses its finalizer, and then moves from the list to the count: so pods that
 * are deleted before they are seen count too, and none counts twice.
 */
export function trackPods(state: TrackingState): PodTracking {
  const { job, pods, finalizer } = state;
  const { status = {} } = job;
  const held = pods.filter((pod) => isHeld(pod, finalizer));
  const heldUids = new Set(held.map(({ metadata }) => metadata.uid));
  const release = held.filter((pod) => isOver(pod, job));
  const indexed = isIndexed(job);
  const indexes = indexed ? completedIndexes(state) : new Set<number>();
  const failing = indexed ? failedIndexes(state) : undefined;
  const count = (list: keyof UncountedTerminatedPods, isOne: (pod: Pod) => boolean) => {
    const listed = status.uncountedTerminatedPods?.[list] ?? [];
    const waiting = listed.filter((uid) => heldUids.has(uid));
    const fresh = release.filter(isOne).map(({ metadata }) => metadata.uid);
    const known = firstCount(state, status[list] ?? 0, isOne) + listed.length - waiting.length;
    return { known, uncounted: [...new Set([...waiting, ...fresh])] };
  };
  const counts = (pod: Pod): boolean => failureEffect(job, pod).action !== 'Ignore';
  const failed = count('failed', (pod) => pod.status?.phase !== 'Succeeded' && counts(pod));
  const succeeded = indexed
    ? { known: indexes.size, uncounted: [] }
    : count('succeeded', ({ status: ended }) => ended?.phase === 'Succeeded');
  return {
    counts: {
      succeeded: succeeded.known + succeeded.uncounted.length,
      failed: failed.known + failed.uncounted.length,
      indexes,
      failedIndexes: failing,
    },
    status: {
      ...status,
      succeeded: succeeded.known,
      failed: failed.known,
      ...(indexed ? { completedIndexes: formatIndexes(indexes) } : {}),
      ...(failing ? { failedIndexes: formatIndexes(failing) } : {}),
      uncountedTerminatedPods: {
        ...(succeeded.uncounted.length > 0 ? { succeeded: succeeded.uncounted } : {}),
        ...(failed.uncounted.length > 0 ? { failed: failed.uncounted } : {}),
      },
    },
    release,
  };
}

/** A Job whose pods have not been tracked has pods without finalizer that count. */
function firstCount({ job, pods, finalizer }: TrackingState, known: number, isOne: (pod: Pod) => boolean): number {
  if (job.status?.uncountedTerminatedPods) return known;
  return Math.max(known, pods.filter((pod) => hasEnded(pod) && !isHeld(pod, finalizer) && isOne(pod)).length);
}

function completedIndexes({ job, pods, indexAnnotation }: TrackingState): Set<number> {
  const { completions = 0 } = job.spec;
  const indexes = parseIndexes(job.status?.completedIndexes ?? '', completions);
  for (const pod of pods) {
    const index = indexOf(pod, indexAnnotation);
    if (pod.status?.phase === 'Succeeded' && index < completions) indexes.add(index);
  }
  return indexes;
}
