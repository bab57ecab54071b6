import type { EventDescription } from '../../client/events/event-recorder.ts';
import type { JobStatus } from '../../gen/types/batch-v1.ts';
import { conditionOf, withCondition } from '../../kinds/meta/condition-of.ts';
import { formatTime } from '../../meta/time.ts';
import type { Job } from '../resources.ts';
import { formatIndexes } from './completed-indexes.ts';
import { announcements, announcesEnd, type JobOutcome } from './job-outcome.ts';
import { isIndexed } from './job-pods.ts';
import type { JobCounts } from './track-pods.ts';

/** All counts of the pods of a Job. */
interface AllCounts extends JobCounts {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
}

/** The status of a Job that continues: its start time, and its suspension. */
export function started({ spec, status = {} }: Job, nowMs: number): { status: JobStatus; events: EventDescription[] } {
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

/** The status of a Job with a certain outcome. The Job ends when none of its pods may run. */
export function ending(job: Job, counts: AllCounts, outcome: JobOutcome, nowMs: number): JobStatus {
  const { status = {} } = job;
  const time = formatTime(nowMs);
  const { type, ...cause } = outcome;
  const announces = announcesEnd(job);
  const isOver = !announces || counts.terminating === 0;
  const types = [...(announces ? [announcements[type]] : []), ...(isOver ? [type] : [])];
  const times = { status: 'True', lastProbeTime: time, lastTransitionTime: time };
  return {
    ...status,
    startTime: status.startTime ?? time,
    ...(isOver && type === 'Complete' ? { completionTime: time } : {}),
    ...countsIn(job, counts),
    conditions: types.reduce(
      (conditions, each) => withCondition(conditions, { type: each, ...cause, ...times }),
      status.conditions ?? [],
    ),
  };
}

/** The counts in a status. Jobs that do not announce their end have fewer fields. */
export function countsIn(
  job: Job,
  { active, ready, terminating, succeeded, failed, ...indexes }: AllCounts,
): JobStatus {
  return {
    active,
    succeeded,
    failed,
    ...(announcesEnd(job) ? { ready, terminating } : {}),
    ...(isIndexed(job) ? { completedIndexes: formatIndexes(indexes.indexes) } : {}),
    ...(indexes.failedIndexes ? { failedIndexes: formatIndexes(indexes.failedIndexes) } : {}),
    uncountedTerminatedPods: {},
  };
}
