import type { ReconcileResult } from '../../client/controllers/controller.ts';
import type { Client } from '../../client/client.ts';
import type { EventDescription } from '../../client/events/event-recorder.ts';
import { hasReason } from '../../client/error-of-response.ts';
import { formatTime } from '../../meta/time.ts';
import type { ObjectReference } from '../../gen/types/core-v1.ts';
import { type CronJob, cronJobs, type Job, jobs } from '../resources.ts';
import { finishOf } from '../../kinds/batch/job.ts';
import { controllerOf, type ControllingObject, controllerReference } from '../workloads/controller-reference.ts';
import { type Workload, workloadController } from '../workloads/workload-controller.ts';
import { compileSchedule, type CronSchedule, zoneInSchedule } from './cron-schedule.ts';
import { activeJob, jobName, planCronJob } from './plan-cron-job.ts';
import { timeInZone } from './time-in-zone.ts';

/** Creates Jobs by the schedule of each CronJob. */
export const cronJobController = workloadController<CronJob, Job>({
  name: 'cronjob-controller',
  alias: 'cronjob',
  account: 'cronjob-controller',
  queue: 'cronjob',
  resource: cronJobs,
  olderVersions: ['v1beta1'],
  kind: 'CronJob',
  makes: jobs,
  concurrency: 'concurrent-cron-job-syncs',
  start: (workload) => (cronJob) => reconcile(cronJob, workload),
});

async function reconcile(
  cronJob: CronJob & ControllingObject,
  workload: Workload<CronJob, Job>,
): Promise<ReconcileResult> {
  const compiled = usableSchedule(cronJob, workload);
  // Only a change of the specification can help.
  if (!compiled) return {};
  const owned = await workload.claim(cronJob);
  const plan = planCronJob({ cronJob, jobs: owned, schedule: compiled, minor: workload.minor, nowMs: Date.now() });
  for (const event of plan.events) workload.events.record(cronJob, event);
  for (const job of plan.deletions) await remove(job, cronJob, workload);
  const started = plan.start === undefined ? undefined : await start(cronJob, plan.start, workload);
  const lastScheduleTime = plan.start === undefined ? cronJob.status?.lastScheduleTime : formatTime(plan.start);
  const active = [...plan.active, ...(started ? [started] : [])];
  await workload.writeStatus(cronJob, { active, lastScheduleTime, lastSuccessfulTime: plan.lastSuccessfulTime });
  return { requeueAfterMs: plan.requeueAfterMs };
}

/** The schedule of a CronJob; undefined, and reported, for one with an unknown time zone. */
function usableSchedule(
  cronJob: CronJob & ControllingObject,
  { events }: Workload<CronJob, Job>,
): CronSchedule | undefined {
  const { schedule, timeZone } = cronJob.spec;
  try {
    return compileSchedule(schedule, timeZone);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    events.record(cronJob, unknownZone(schedule, timeZone));
    return undefined;
  }
}

function unknownZone(schedule: string, timeZone = ''): EventDescription {
  const zone = zoneInSchedule(schedule);
  if (zone === undefined) {
    const message = `invalid timeZone: ${JSON.stringify(timeZone)}: unknown time zone ${timeZone}`;
    return { type: 'Warning', reason: 'UnknownTimeZone', message };
  }
  const cause = `provided bad location ${zone}: unknown time zone ${zone}`;
  const message = `unparseable schedule: ${JSON.stringify(schedule)} : ${cause}`;
  return { type: 'Warning', reason: 'UnparseableSchedule', message };
}

async function remove(
  job: Job,
  owner: ControllingObject,
  { client, events, signal }: Workload<CronJob, Job>,
): Promise<void> {
  const { name, namespace, uid } = job.metadata;
  const options = { namespace, propagationPolicy: 'Background', preconditions: { uid }, signal } as const;
  try {
    await client.resource(jobs).delete(name, options);
    events.record(owner, { type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted job ${name}` });
  } catch (error) {
    if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
  }
}

/**
 * The Job of a time that was created before is not created again. It is listed if the status
 * could not be written then.
 */
async function start(
  cronJob: CronJob & ControllingObject,
  timeMs: number,
  workload: Workload<CronJob, Job>,
): Promise<ObjectReference | undefined> {
  const { client, events, made, signal } = workload;
  try {
    // The server completes the metadata.
    const created = await client.resource(jobs).create(newJob(cronJob, timeMs, workload) as Job, { signal });
    const message = `Created job ${created.metadata.name}`;
    events.record(cronJob, { type: 'Normal', reason: 'SuccessfulCreate', message });
    await made.waitFor(created.metadata.resourceVersion, signal);
    return activeJob(created);
  } catch (error) {
    if (hasReason(error, 'AlreadyExists'))
      return await startedBefore(cronJob, jobName(cronJob, timeMs), client, signal);
    const text = error instanceof Error ? error.message : String(error);
    events.record(cronJob, { type: 'Warning', reason: 'FailedCreate', message: `Error creating job: ${text}` });
    throw error;
  }
}

async function startedBefore(
  { metadata: { namespace, uid } }: CronJob,
  name: string,
  client: Client,
  signal: AbortSignal,
): Promise<ObjectReference | undefined> {
  const job = await client.resource(jobs).get(name, { namespace, signal });
  return controllerOf(job)?.uid === uid && !finishOf(job) ? activeJob(job) : undefined;
}

function newJob(cronJob: CronJob & ControllingObject, timeMs: number, { identifiers, minor }: Workload<CronJob, Job>) {
  const { metadata: { labels, annotations } = {}, spec } = cronJob.spec.jobTemplate;
  const scheduled = `batch.${identifiers.labelDomain}/cronjob-scheduled-timestamp`;
  const time = { [scheduled]: timeInZone(timeMs, cronJob.spec.timeZone) };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(cronJob, timeMs),
      namespace: cronJob.metadata.namespace,
      labels,
      annotations: minor >= 28 ? { ...annotations, ...time } : annotations,
      ownerReferences: [controllerReference(cronJob)],
    },
    spec,
  };
}
