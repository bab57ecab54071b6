import type { EventDescription } from '../../client/events/event-recorder.ts';
import type { ActiveJob, CronJob } from '../kinds/cron-job.ts';
import { finishOf, type Job } from '../kinds/job.ts';
import type { CronSchedule } from './cron-schedule.ts';

/** The state that a plan depends on. */
interface CronState {
  readonly cronJob: CronJob;
  /** The Jobs that it controls. */
  readonly jobs: readonly Job[];
  readonly schedule: CronSchedule;
  readonly nowMs: number;
}

/** The next step of a CronJob. */
interface CronPlan {
  /** The time for which a Job is created. */
  readonly start?: number;
  /** Finished Jobs beyond the history, and running ones that are replaced. */
  readonly deletions: readonly Job[];
  /** Without the Job that is to be created. */
  readonly active: readonly ActiveJob[];
  readonly lastSuccessfulTime?: string;
  readonly events: readonly EventDescription[];
  readonly requeueAfterMs?: number;
}

/** Missed times that are looked at one by one. */
const missedLimit = 100;

/** Plans the next step of a CronJob. */
export function planCronJob(state: CronState): CronPlan {
  const { cronJob, jobs, schedule, nowMs } = state;
  const running = jobs.filter((job) => !finishOf(job));
  const { active, events } = activeJobs(state, running);
  const history = surplusHistory(cronJob, jobs);
  const successes = jobs.map(({ status }) => status?.completionTime ?? '').filter((time) => time !== '');
  const lastSuccessfulTime = [...successes, cronJob.status?.lastSuccessfulTime ?? ''].toSorted(byText).at(-1);
  const plan = { deletions: history, active, events, lastSuccessfulTime: lastSuccessfulTime || undefined };
  if (cronJob.metadata.deletionTimestamp || cronJob.spec.suspend) return plan;
  const next = schedule.next(nowMs);
  const requeueAfterMs = next === undefined ? undefined : next - nowMs + jitterMs;
  const due = lastDue(state);
  const waiting = { ...plan, requeueAfterMs };
  if (due === undefined) return waiting;
  const { startingDeadlineSeconds, concurrencyPolicy } = cronJob.spec;
  if (startingDeadlineSeconds !== undefined && due + startingDeadlineSeconds * 1000 < nowMs) {
    const message = `Missed scheduled time to start a job: ${new Date(due).toUTCString()}`;
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

/** The last time that was due and has not been started. */
function lastDue({ cronJob, schedule, nowMs }: CronState): number | undefined {
  const { lastScheduleTime } = cronJob.status ?? {};
  const { startingDeadlineSeconds } = cronJob.spec;
  const since = Date.parse(lastScheduleTime ?? cronJob.metadata.creationTimestamp);
  const limit = startingDeadlineSeconds === undefined ? 0 : nowMs - startingDeadlineSeconds * 1000;
  let due: number | undefined;
  let next = schedule.next(Math.max(since, limit));
  for (let missed = 0; next !== undefined && next <= nowMs; missed++) {
    due = next;
    const following = schedule.next(next);
    // After a long pause only the last times matter.
    const far = missed === missedLimit && following !== undefined ? nowMs - 2 * (following - next) : 0;
    next = far > next ? schedule.next(far) : following;
  }
  return due;
}

function activeJobs({ cronJob, jobs }: CronState, running: readonly Job[]) {
  const events: EventDescription[] = [];
  for (const { name, uid } of cronJob.status?.active ?? []) {
    const job = jobs.find(({ metadata }) => metadata.uid === uid);
    const finish = job && finishOf(job);
    if (finish) {
      const message = `Saw completed job: ${name}, status: ${finish.type}`;
      events.push({ type: 'Normal', reason: 'SawCompletedJob', message });
    } else if (!job) {
      events.push({ type: 'Normal', reason: 'MissingJob', message: `Active job went missing: ${name}` });
    }
  }
  return { active: running.map(activeJob), events };
}

/** The reference to a running Job in the status. */
export function activeJob({ metadata }: Job): ActiveJob {
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
