import type { EventDescription } from '../../client/events/event-recorder.ts';
import { formatTime } from '../../meta/time.ts';
import { finishOf } from '../../kinds/batch/job.ts';
import type { Job, Pod } from '../resources.ts';
import type { JobStatus } from '../../gen/types/batch-v1.ts';
import { isActive } from '../../kinds/core/pod.ts';
import { comparePodsForDeletion } from '../workloads/compare-pods-for-deletion.ts';
import { conditionOf, withCondition } from '../../kinds/meta/conditions.ts';
import { formatIndexes } from './completed-indexes.ts';
import { indexOf, isIndexed, type JobCounts } from './track-pods.ts';
import { endingFailure } from './pod-failure-policy.ts';

/** The reason of a Job's failure, and the sentence for users. */
interface JobFailure {
  readonly reason: 'BackoffLimitExceeded' | 'DeadlineExceeded' | 'PodFailurePolicy';
  readonly message: string;
}

const limitReached: JobFailure = Object.freeze({
  reason: 'BackoffLimitExceeded',
  message: 'Job has reached the specified backoff limit',
});

const tooLong: JobFailure = Object.freeze({
  reason: 'DeadlineExceeded',
  message: 'Job was active longer than specified deadline',
});

/** The failure of a Job with a number of failed pods; undefined if it may go on. */
function failureOf(job: Job, pods: readonly Pod[], failed: number, nowMs: number): JobFailure | undefined {
  const { spec, status } = job;
  const message = endingFailure(job, pods);
  if (message !== undefined) return { reason: 'PodFailurePolicy', message };
  const active = pods.filter(isActive);
  const limit = spec.backoffLimit ?? 6;
  if (failed > limit || restartsExceed(spec.template.spec?.restartPolicy, active, limit)) return limitReached;
  const { startTime } = status ?? {};
  if (spec.activeDeadlineSeconds === undefined || startTime === undefined || spec.suspend) return undefined;
  return nowMs >= Date.parse(startTime) + spec.activeDeadlineSeconds * 1000 ? tooLong : undefined;
}

/** Containers that are restarted in place count as failures too. */
function restartsExceed(restartPolicy: string | undefined, active: readonly Pod[], limit: number): boolean {
  if (restartPolicy !== 'OnFailure') return false;
  const statuses = active.flatMap(({ status }) => [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
  ]);
  const restarts = statuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

/** The delay after the first failure, which doubles with each. */
const initialDelayMs = 10_000;
const maximumDelayMs = 360_000;

/** The time until new pods may replace failed ones; 0 or less: now. */
function backOffMs(ended: readonly Pod[], nowMs: number): number {
  const latest = ended.toSorted((a, b) => endOf(b) - endOf(a));
  const success = latest.findIndex(({ status }) => status?.phase === 'Succeeded');
  const failures = success < 0 ? latest.length : success;
  const [last] = latest;
  if (failures === 0 || !last) return 0;
  return endOf(last) + Math.min(initialDelayMs * 2 ** (failures - 1), maximumDelayMs) - nowMs;
}

/** The end of the last container, as far as it is known. */
function endOf({ metadata, status }: Pod): number {
  const times = (status?.containerStatuses ?? []).map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ''));
  return Math.max(Date.parse(metadata.creationTimestamp), ...times.filter((time) => !Number.isNaN(time)));
}

/** The state that a plan depends on. */
interface JobState {
  readonly job: Job;
  /** The pods that the Job controls. */
  readonly pods: readonly Pod[];
  readonly counts: JobCounts;
  /** The annotation of a pod with its index. */
  readonly indexAnnotation: string;
  readonly costAnnotation: string;
  readonly nowMs: number;
}

/** The next step of a Job. */
interface JobPlan {
  /** A pod each; with its index if the Job is indexed. */
  readonly creations: readonly (number | undefined)[];
  readonly deletions: readonly Pod[];
  /** `active` counts the pods that stay, and not those that are to be created. */
  readonly status: JobStatus;
  readonly events: readonly EventDescription[];
  readonly requeueAfterMs?: number;
}

/** Pods that one call creates at most. */
const burst = 500;

/** Plans the next step of a Job; undefined for one that has finished. */
export function planJob(state: JobState): JobPlan | undefined {
  const { job, pods, counts, nowMs } = state;
  if (finishOf(job) || job.metadata.deletionTimestamp) return undefined;
  const active = pods.filter(isActive);
  const failure = failureOf(job, pods, counts.failed, nowMs);
  if (failure) {
    const failed = counts.failed + active.length;
    const status = finished(job, { ...counts, failed, active: 0 }, { type: 'Failed', ...failure }, nowMs);
    return { creations: [], deletions: active, status, events: [{ type: 'Warning', ...failure }] };
  }
  if (isComplete(job, counts, active.length)) return completion(state, counts, active);
  return progress(state, counts, active);
}

/** A Job without completions is complete when one pod has succeeded and all have ended. */
function isComplete({ spec }: Job, { succeeded }: JobCounts, active: number): boolean {
  return spec.completions === undefined ? succeeded > 0 && active === 0 : succeeded >= spec.completions;
}

function completion({ job, nowMs }: JobState, counts: JobCounts, active: readonly Pod[]): JobPlan {
  const done: EventDescription = { type: 'Normal', reason: 'Completed', message: 'Job completed' };
  const tooMany: EventDescription = {
    type: 'Warning',
    reason: 'TooManyActivePods',
    message: 'Too many active pods running after completion count reached',
  };
  const status = finished(job, { ...counts, active: 0 }, { type: 'Complete' }, nowMs);
  return {
    creations: [],
    deletions: active,
    status: { ...status, completionTime: formatTime(nowMs) },
    events: active.length > 0 ? [tooMany, done] : [done],
  };
}

function progress(state: JobState, counts: JobCounts, active: readonly Pod[]): JobPlan {
  const { job, pods, nowMs, costAnnotation } = state;
  const { spec } = job;
  const parallelism = spec.suspend ? 0 : (spec.parallelism ?? 1);
  const wanted =
    spec.completions === undefined
      ? counts.succeeded > 0 && !spec.suspend
        ? active.length
        : parallelism
      : Math.min(spec.completions - counts.succeeded, parallelism);
  const byRank = comparePodsForDeletion(() => 0, costAnnotation);
  const deletions = active.length > wanted ? active.toSorted(byRank).slice(0, active.length - wanted) : [];
  const missing = Math.min(Math.max(0, wanted - active.length), burst);
  const delayMs =
    missing > 0
      ? backOffMs(
          pods.filter((pod) => !isActive(pod)),
          nowMs,
        )
      : 0;
  const { status, events } = started(job, nowMs);
  return {
    creations: delayMs > 0 ? [] : newIndexes(state, counts, active).slice(0, missing),
    deletions,
    status: { ...status, ...countsOf({ ...counts, active: active.length - deletions.length }, isIndexed(job)) },
    events,
    requeueAfterMs: earliest(delayMs, deadlineInMs(spec, status, nowMs)),
  };
}

function newIndexes({ job, indexAnnotation }: JobState, { indexes }: JobCounts, active: readonly Pod[]) {
  const { completions = 0 } = job.spec;
  if (!isIndexed(job)) return Array.from<undefined>({ length: burst });
  const taken = new Set(active.map((pod) => indexOf(pod, indexAnnotation)));
  return Array.from({ length: completions }, (_, index) => index).filter(
    (index) => !indexes.has(index) && !taken.has(index),
  );
}

/** The status of a Job that goes on: its start, and the times of suspension. */
function started({ spec, status = {} }: Job, nowMs: number): { status: JobStatus; events: EventDescription[] } {
  const time = formatTime(nowMs);
  const suspended = conditionOf(status.conditions, 'Suspended')?.status === 'True';
  const note = (value: string, reason: string, message: string) => ({
    conditions: withCondition(status.conditions, {
      type: 'Suspended',
      status: value,
      reason,
      message,
      lastProbeTime: time,
      lastTransitionTime: time,
    }),
  });
  if (spec.suspend && !suspended) {
    const message = 'Job suspended';
    const { startTime: _, ...rest } = status;
    return {
      status: { ...rest, ...note('True', 'JobSuspended', message) },
      events: [{ type: 'Normal', reason: 'Suspended', message }],
    };
  }
  if (!spec.suspend && suspended) {
    const message = 'Job resumed';
    return {
      status: { ...status, ...note('False', 'JobResumed', message), startTime: time },
      events: [{ type: 'Normal', reason: 'Resumed', message }],
    };
  }
  return { status: spec.suspend ? status : { ...status, startTime: status.startTime ?? time }, events: [] };
}

function finished(
  job: Job,
  counts: JobCounts & { readonly active: number },
  condition: { readonly type: string; readonly reason?: string; readonly message?: string },
  nowMs: number,
): JobStatus {
  const time = formatTime(nowMs);
  const { status = {} } = job;
  return {
    ...status,
    startTime: status.startTime ?? time,
    ...countsOf(counts, isIndexed(job)),
    conditions: withCondition(status.conditions, {
      ...condition,
      status: 'True',
      lastProbeTime: time,
      lastTransitionTime: time,
    }),
  };
}

function countsOf({ active, succeeded, failed, indexes }: JobCounts & { readonly active: number }, indexed: boolean) {
  return {
    active,
    succeeded,
    failed,
    ...(indexed ? { completedIndexes: formatIndexes(indexes) } : {}),
    uncountedTerminatedPods: {},
  };
}

function deadlineInMs({ activeDeadlineSeconds }: Job['spec'], { startTime }: JobStatus, nowMs: number): number {
  if (activeDeadlineSeconds === undefined || startTime === undefined) return 0;
  return Date.parse(startTime) + activeDeadlineSeconds * 1000 - nowMs;
}

/** The earliest of times that are not in the past. */
function earliest(...times: readonly number[]): number | undefined {
  const ahead = times.filter((ms) => ms > 0);
  return ahead.length > 0 ? Math.min(...ahead) : undefined;
}
