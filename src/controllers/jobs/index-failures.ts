import type { Job, Pod } from '../resources.ts';
import { parseIndexes } from './completed-indexes.ts';
import { indexOf } from './job-pods.ts';
import { failureEffect } from './pod-failure-policy.ts';

/** A Job with its pods, and the names of the annotations of its pods. */
interface IndexState {
  readonly job: Job;
  readonly pods: readonly Pod[];
  /** The annotation of a pod with its index. */
  readonly indexAnnotation: string;
  /** The annotation of a pod with the earlier failures of its index. */
  readonly failuresAnnotation: string;
}

/** The failures of an index, up to now. */
export interface IndexFailures {
  readonly count: number;
  /** The last failed pod of the index; undefined if it is deleted. */
  readonly last: Pod | undefined;
}

/** The failures of each index, as far as the annotation of its last pod counts them. */
export function failuresByIndex(state: IndexState): Map<number, IndexFailures> {
  const found = new Map<number, IndexFailures>();
  for (const pod of state.pods) {
    const index = indexOf(pod, state.indexAnnotation);
    const count = failuresOf(pod, state);
    if (count > (found.get(index)?.count ?? 0)) found.set(index, { count, last: pod });
  }
  return found;
}

function failuresOf(pod: Pod, { job, failuresAnnotation }: IndexState): number {
  const before = Number(pod.metadata.annotations?.[failuresAnnotation] ?? 0);
  const counts = hasFailed(pod) && failureEffect(job, pod).action !== 'Ignore';
  return before + (counts ? 1 : 0);
}

/** The indexes that have failed for good; undefined if the Job has no back-off limit per index. */
export function failedIndexes(state: IndexState): Set<number> | undefined {
  const { job, pods } = state;
  const { backoffLimitPerIndex: limit, completions = 0 } = job.spec;
  if (limit === undefined) return undefined;
  const indexes = parseIndexes(job.status?.failedIndexes ?? '', completions);
  for (const pod of pods) {
    const index = indexOf(pod, state.indexAnnotation);
    if (index >= completions || !hasFailed(pod)) continue;
    const ends = failureEffect(job, pod).action === 'FailIndex';
    if (ends || failuresOf(pod, state) > limit) indexes.add(index);
  }
  return indexes;
}

function hasFailed({ status }: Pod): boolean {
  return status?.phase === 'Failed';
}
