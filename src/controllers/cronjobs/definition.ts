import { controller } from '../../client/controllers/controller.ts';
import { hasReason } from '../../client/status-error.ts';
import { formatTime } from '../../meta/time.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type ActiveJob, type CronJob, cronJobs } from '../kinds/cron-job.ts';
import { type Job, jobs } from '../kinds/job.ts';
import { type ControllingObject, controllerReference } from '../workloads/controller-reference.ts';
import { controlledBy, indexByController } from '../workloads/owned-objects.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { compileSchedule } from './cron-schedule.ts';
import { activeJob, jobName, planCronJob } from './plan-cron-job.ts';

/** Creates Jobs by the schedule of each CronJob. */
export const cronJobController: ControllerDefinition = {
  name: 'cronjob-controller',
  alias: 'cronjob',
  account: 'cronjob-controller',
  run,
};

const concurrency = 5;

async function run(
  { client, informers, events, metrics, onError }: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  const informer = informers.informer(cronJobs);
  const jobInformer = informers.informer(jobs);
  indexByController(jobInformer);
  const resource = client.resource(cronJobs);
  const jobResource = client.resource(jobs);

  async function remove(job: Job, owner: ControllingObject): Promise<void> {
    const { name, namespace, uid } = job.metadata;
    try {
      await jobResource.delete(name, { namespace, propagationPolicy: 'Background', preconditions: { uid }, signal });
      events.record(owner, { type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted job ${name}` });
    } catch (error) {
      if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
    }
  }

  /** The Job of a time that was created before is not created again. */
  async function start(cronJob: CronJob & ControllingObject, timeMs: number): Promise<ActiveJob | undefined> {
    const job = newJob(cronJob, timeMs);
    try {
      const created = await jobResource.create(job as Job, { signal });
      const message = `Created job ${created.metadata.name}`;
      events.record(cronJob, { type: 'Normal', reason: 'SuccessfulCreate', message });
      await jobInformer.waitFor(created.metadata.resourceVersion, signal);
      return activeJob(created);
    } catch (error) {
      if (hasReason(error, 'AlreadyExists')) return undefined;
      const text = error instanceof Error ? error.message : String(error);
      events.record(cronJob, { type: 'Warning', reason: 'FailedCreate', message: `Error creating job: ${text}` });
      throw error;
    }
  }

  async function sync(object: CronJob): Promise<{ requeueAfterMs?: number }> {
    const cronJob = { ...object, apiVersion: 'batch/v1', kind: 'CronJob' };
    const { schedule, timeZone } = object.spec;
    const owned = controlledBy(jobInformer, object.metadata.uid);
    const compiled = compileSchedule(schedule, timeZone);
    const plan = planCronJob({ cronJob, jobs: owned, schedule: compiled, nowMs: Date.now() });
    for (const event of plan.events) events.record(cronJob, event);
    for (const job of plan.deletions) await remove(job, cronJob);
    const started = plan.start === undefined ? undefined : await start(cronJob, plan.start);
    const lastScheduleTime = plan.start === undefined ? object.status?.lastScheduleTime : formatTime(plan.start);
    const active = [...plan.active, ...(started ? [started] : [])];
    const status = { active, lastScheduleTime, lastSuccessfulTime: plan.lastSuccessfulTime };
    await writeStatus({ object, status, resource, informer, signal });
    return { requeueAfterMs: plan.requeueAfterMs };
  }

  await controller<CronJob>({
    name: 'cronjob',
    informers,
    for: cronJobs,
    owns: [jobs],
    concurrency,
    metrics,
    onError,
    reconcile: async ({ object }) => (object ? await sync(object) : undefined),
  }).run(signal);
}

function newJob(cronJob: CronJob & ControllingObject, timeMs: number) {
  const { metadata: { labels, annotations } = {}, spec } = cronJob.spec.jobTemplate;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(cronJob, timeMs),
      namespace: cronJob.metadata.namespace,
      labels,
      annotations,
      ownerReferences: [controllerReference(cronJob)],
    },
    spec,
  };
}
