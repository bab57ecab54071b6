import type { EventDescription } from '../../client/events/event-recorder.ts';
import type { JobStatus } from '../../gen/types/batch-v1.ts';
import { finishOf } from '../../kinds/batch/job.ts';
import { isActive, isReady } from '../../kinds/core/pod.ts';
import type { Job, Pod } from '../resources.ts';
import { comparePodsForDeletion } from '../workloads/compare-pods-for-deletion.ts';
import { type JobOutcome, outcomeOf } from './job-outcome.ts';
import { awaitsEnd, isTerminating } from './job-pods.ts';
import { earliest, type JobState } from './job-state.ts';
import { countsIn, ending, started } from './job-status.ts';
import { newPods, type PodCreation } from './new-pods.ts';
import type { JobCounts } from './track-pods.ts';

/** The next step of a Job. */
interface JobPlan {
  readonly creations: readonly PodCreation[];
  readonly deletions: readonly Pod[];
  /** `active` counts the pods that stay, and not those that are to be created. */
  readonly status: JobStatus;
  readonly events: readonly EventDescription[];
  readonly requeueAfterMs?: number;
}

/** Plans the next step of a Job; undefined for one that has finished. */
export function planJob(state: JobState): JobPlan | undefined {
  const { job, pods, counts, nowMs } = state;
  if (finishOf(job) || job.metadata.deletionTimestamp) return undefined;
  const outcome = outcomeOf(job, pods, counts, nowMs);
  const active = pods.filter(isActive);
  return outcome ? end(state, outcome, active) : progress(state, active);
}

/** Ends a Job. If it fails, its running pods count as failed. */
function end({ job, pods, counts, minor = 0, nowMs }: JobState, outcome: JobOutcome, active: readonly Pod[]): JobPlan {
  const failed = counts.failed + (outcome.type === 'Failed' ? active.length : 0);
  const terminating = active.length + pods.filter(isTerminating).length;
  const status = ending(job, { ...counts, failed, active: 0, ready: 0, terminating }, outcome, nowMs);
  const isOver = finishOf({ ...job, status }) !== undefined;
  return {
    creations: [],
    deletions: active,
    status,
    events: [
      // Releases from 1.25 on have no such Event.
      ...(minor < 25 && outcome.type === 'Complete' && active.length > 0 ? [tooMany] : []),
      ...(isOver ? [eventOf(outcome)] : []),
    ],
  };
}

const tooMany: EventDescription = Object.freeze({
  type: 'Warning',
  reason: 'TooManyActivePods',
  message: 'Too many active pods running after completion count reached',
});

function eventOf({ type, reason = '', message = '' }: JobOutcome): EventDescription {
  if (type === 'Failed') return { type: 'Warning', reason, message };
  return { type: 'Normal', reason: 'Completed', message: 'Job completed' };
}

function progress(state: JobState, active: readonly Pod[]): JobPlan {
  const { job, pods, counts, nowMs, costAnnotation } = state;
  const wanted = wantedPods(job, counts, active.length);
  const terminating = pods.filter(isTerminating).length;
  const byRank = comparePodsForDeletion(() => 0, costAnnotation);
  const deletions = active.length > wanted ? active.toSorted(byRank).slice(0, active.length - wanted) : [];
  const missing = wanted - active.length - (awaitsEnd(job) ? terminating : 0);
  const { creations, delayMs } = newPods(state, missing);
  const { status, events } = started(job, nowMs);
  const staying = active.filter((pod) => !deletions.includes(pod));
  return {
    creations,
    deletions,
    status: {
      ...status,
      ...countsIn(job, {
        ...counts,
        active: staying.length,
        ready: staying.filter(isReady).length,
        terminating: terminating + deletions.length,
      }),
    },
    events,
    requeueAfterMs: earliest(delayMs, deadlineInMs(job.spec, status, nowMs)),
  };
}

function wantedPods({ spec }: Job, { succeeded, failedIndexes }: JobCounts, active: number): number {
  const { completions, suspend, parallelism = 1 } = spec;
  if (suspend) return 0;
  if (completions !== undefined) return Math.min(completions - succeeded - (failedIndexes?.size ?? 0), parallelism);
  return succeeded > 0 ? active : parallelism;
}

function deadlineInMs({ activeDeadlineSeconds }: Job['spec'], { startTime }: JobStatus, nowMs: number): number {
  if (activeDeadlineSeconds === undefined || startTime === undefined) return 0;
  return Date.parse(startTime) + activeDeadlineSeconds * 1000 - nowMs;
}
