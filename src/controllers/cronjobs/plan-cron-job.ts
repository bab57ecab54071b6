import type { EventDescription } from '../../client/events/event-recorder.ts';
import type { ObjectReference } from '../../gen/types/core-v1.ts';
import type { CronJob, Job } from '../resources.ts';
import { finishOf } from '../../kinds/batch/job.ts';
import type { CronSchedule } from './cron-schedule.ts';

/** The state that a plan depends on. */
interface CronState {
  readonly cronJob: CronJob;
  /** The Jobs that it controls. */
  readonly jobs: readonly Job[];
  readonly schedule: CronSchedule;
  /** The minor number of the server's release, for the texts of Events. */
  readonly minor?: number;
  readonly nowMs: number;
}

/** The next step of a CronJob. */
interface CronPlan {
  /** The time for which a Job is created. */
  readonly start?: number;
  /** Finished Jobs beyond the history, and running ones that are replaced. */
  readonly deletions: readonly Job[];
  /** The running Jobs, without the Job that is to be created. */
  readonly active: readonly ObjectReference[];
  readonly lastSuccessfulTime?: string;
  readonly events: readonly EventDescription[];
  readonly requeueAfterMs?: number;
}

/** Missed times that are looked at one by one. More are reported. */
const missedLimit = 100;

/** Plans the next step of a CronJob. */
export function planCronJob(state: CronState): CronPlan {
  const { cronJob, jobs, schedule, nowMs } = state;
  const { active, running, events } = activeJobs(state);
  const history = surplusHistory(cronJob, jobs);
  const successes = jobs.map(({ status }) => status?.completionTime ?? '').filter((time) => time !== '');
  const lastSuccessfulTime = [...successes, cronJob.status?.lastSuccessfulTime ?? ''].toSorted(byText).at(-1);
  const plan = { deletions: history, active, events, lastSuccessfulTime: lastSuccessfulTime || undefined };
  if (cronJob.metadata.deletionTimestamp || cronJob.spec.suspend) return plan;
  const next = schedule.next(nowMs);
  const requeueAfterMs = next === undefined ? undefined : next - nowMs + jitterMs;
  const { due, missed } = lastDue(state);
  if (missed > missedLimit) events.push(tooManyMissed(missed));
  const waiting = { ...plan, requeueAfterMs };
  if (due === undefined) return waiting;
  const { startingDeadlineSeconds, concurrencyPolicy } = cronJob.spec;
  if (startingDeadlineSeconds !== undefined && due + startingDeadlineSeconds * 1000 < nowMs) {
    const time = new Date(due).toUTCString().replace(/GMT$/, '+0000');
    const message = `Missed scheduled time to start a job: ${time}`;
    return { ...waiting, events: [...events, { type: 'Warning', reason: 'MissSchedule', message }] };
  }
  if (concurrencyPolicy === 'Forbid' && running.length > 0) {
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    return { ...waiting, events: [...events, { type: 'Normal', reason: 'JobAlreadyActive', message }] };
  }
  const replaced = concurrencyPolicy === 'Replace' ? running : [];
  const kept = active.filter(({ uid }) => !replaced.some(({ metadata }) => metadata.uid === uid));
  return { ...waiting, start: due, deletions: [...history, ...replaced], active: kept };
}

/** A timer that ends early would find nothing to do. */
const jitterMs = 100;

/** The last time that was due and has not been started, and about how many there were. */
function lastDue({ cronJob, schedule, nowMs }: CronState) {
  const { lastScheduleTime } = cronJob.status ?? {};
  const { startingDeadlineSeconds } = cronJob.spec;
  const since = Date.parse(lastScheduleTime ?? cronJob.metadata.creationTimestamp);
  const limit = startingDeadlineSeconds === undefined ? 0 : nowMs - startingDeadlineSeconds * 1000;
  let due: number | undefined;
  let missed = 0;
  let next = schedule.next(Math.max(since, limit));
  while (next !== undefined && next <= nowMs) {
    due = next;
    missed++;
    const following = schedule.next(next);
    if (missed === missedLimit && following !== undefined) {
      // After a long pause only the last times matter; those before are estimated.
      const interval = following - next;
      const skipped = Math.floor((nowMs - 2 * interval - next) / interval);
      missed += Math.max(0, skipped);
      next = skipped > 0 ? schedule.next(next + skipped * interval) : following;
    } else {
      next = following;
    }
  }
  return { due, missed };
}

function tooManyMissed(count: number): EventDescription {
  const advice = 'Set or decrease .spec.startingDeadlineSeconds or check clock skew';
  return { type: 'Warning', reason: 'TooManyMissedTimes', message: `too many missed start times: ${count}. ${advice}` };
}

/** The Jobs of the status that still run. Others of the CronJob were not started by a schedule. */
function activeJobs({ cronJob, jobs, minor = 0 }: CronState) {
  const events: EventDescription[] = [];
  const active: ObjectReference[] = [];
  const running: Job[] = [];
  const listed = cronJob.status?.active ?? [];
  for (const job of jobs) {
    const { name, uid } = job.metadata;
    if (finishOf(job) || listed.some((each) => each.uid === uid)) continue;
    const message = `Saw a job that the controller did not create or forgot: ${name}`;
    events.push({ type: 'Warning', reason: 'UnexpectedJob', message });
  }
  for (const reference of listed) {
    const { name, uid } = reference;
    const job = jobs.find(({ metadata }) => metadata.uid === uid);
    const finish = job && finishOf(job);
    if (finish) {
      const message = `Saw completed job: ${name}, ${minor >= 31 ? 'condition' : 'status'}: ${finish.type}`;
      events.push({ type: 'Normal', reason: 'SawCompletedJob', message });
    } else if (job) {
      active.push(reference);
      running.push(job);
    } else {
      events.push({ type: 'Normal', reason: 'MissingJob', message: `Active job went missing: ${name}` });
    }
  }
  return { active, running, events };
}

/** The reference to a running Job in the status. */
export function activeJob({ metadata }: Job): ObjectReference {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { apiVersion: 'batch/v1', kind: 'Job', name, namespace, uid, resourceVersion };
}

/** The oldest finished Jobs beyond the limits of the history. */
function surplusHistory({ spec }: CronJob, jobs: readonly Job[]): Job[] {
  const limits = { Complete: spec.successfulJobsHistoryLimit ?? 3, Failed: spec.failedJobsHistoryLimit ?? 1 };
  return Object.entries(limits).flatMap(([type, limit]) => {
    const finished = jobs.filter((job) => finishOf(job)?.type === type);
    const byAge = finished.toSorted((a, b) => byText(startOf(a), startOf(b)));
    return byAge.slice(0, Math.max(0, finished.length - limit));
  });
}

function startOf({ metadata, status }: Job): string {
  return status?.startTime ?? metadata.creationTimestamp;
}

/** Times of objects are texts that sort by time. */
function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The name of the Job of a time, which is the same for each attempt. */
export function jobName({ metadata }: CronJob, timeMs: number): string {
  return `${metadata.name}-${Math.floor(timeMs / 60_000)}`;
}
