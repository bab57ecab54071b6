import { isActive } from '../../kinds/core/pod.ts';
import { failuresByIndex, type IndexFailures } from './index-failures.ts';
import { awaitsEnd, indexOf, isIndexed, isTerminating } from './job-pods.ts';
import { earliest, type JobState } from './job-state.ts';
import type { Pod } from '../resources.ts';

/** The most pods that one reconcile creates. */
const burst = 500;

/** A pod to create. */
export interface PodCreation {
  /** The index of the pod; undefined if the Job is not indexed. */
  readonly index: number | undefined;
  /** The failures of the index so far. */
  readonly failures: number;
}

/** The pods to create, and the time until more may be created; 0 or less if there are no more. */
interface NewPods {
  readonly creations: readonly PodCreation[];
  readonly delayMs: number;
}

/** Plans the new pods of a Job. With a back-off limit per index each index has its own back-off. */
export function newPods(state: JobState, missing: number): NewPods {
  const count = Math.min(missing, burst);
  if (count <= 0) return { creations: [], delayMs: 0 };
  const { pods, counts, nowMs } = state;
  const indexes = freeIndexes(state);
  if (!counts.failedIndexes) {
    const ended = pods.filter((pod) => !isActive(pod));
    const delayMs = backOffMs(ended, nowMs);
    const creations = indexes.slice(0, count).map((index) => ({ index, failures: 0 }));
    return delayMs > 0 ? { creations: [], delayMs } : { creations, delayMs };
  }
  const failures = failuresByIndex(state);
  const waitOf = (index: number | undefined): number => indexBackOffMs(failures.get(index ?? -1), nowMs);
  const ready = indexes.filter((index) => waitOf(index) <= 0).slice(0, count);
  return {
    creations: ready.map((index) => ({ index, failures: failures.get(index ?? -1)?.count ?? 0 })),
    delayMs: ready.length < count ? (earliest(...indexes.map(waitOf)) ?? 0) : 0,
  };
}

/** The indexes without a pod; undefined for each pod of a Job that is not indexed. */
function freeIndexes({ job, pods, counts, indexAnnotation }: JobState): readonly (number | undefined)[] {
  if (!isIndexed(job)) return Array.from<undefined>({ length: burst });
  const running = pods.filter((pod) => isActive(pod) || (awaitsEnd(job) && isTerminating(pod)));
  const taken = new Set(running.map((pod) => indexOf(pod, indexAnnotation)));
  const { indexes, failedIndexes } = counts;
  return Array.from({ length: job.spec.completions ?? 0 }, (_, index) => index).filter(
    (index) => !indexes.has(index) && !failedIndexes?.has(index) && !taken.has(index),
  );
}

/** The delay after the first failure; it doubles with each further one. */
const initialDelayMs = 10_000;
const maximumDelayMs = 360_000;

/** The time until failed pods may be replaced; 0 or less: now. */
function backOffMs(ended: readonly Pod[], nowMs: number): number {
  const latest = ended.toSorted((a, b) => endOf(b) - endOf(a));
  const success = latest.findIndex(({ status }) => status?.phase === 'Succeeded');
  const failures = success < 0 ? latest.length : success;
  const [last] = latest;
  if (failures === 0 || !last) return 0;
  return endOf(last) + delayAfter(failures) - nowMs;
}

function delayAfter(failures: number): number {
  return Math.min(initialDelayMs * 2 ** (failures - 1), maximumDelayMs);
}

/** The end of the last container, as far as it is known. */
function endOf({ metadata, status }: Pod): number {
  const times = (status?.containerStatuses ?? []).map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ''));
  return Math.max(Date.parse(metadata.creationTimestamp), ...times.filter((time) => !Number.isNaN(time)));
}

/** The time until the last pod of an index may be replaced; 0 or less: now. */
function indexBackOffMs(failures: IndexFailures | undefined, nowMs: number): number {
  return failures?.last ? endOf(failures.last) + delayAfter(failures.count) - nowMs : 0;
}
