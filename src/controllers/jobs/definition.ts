import type { ReconcileResult } from '../../client/controllers/controller.ts';
import { finishOf } from '../../kinds/batch/job.ts';
import { type Job, jobs, type Pod, pods } from '../resources.ts';
import { isActive } from '../../kinds/core/pod.ts';
import type { ControllingObject } from '../workloads/controller-reference.ts';
import { isTerminatingNamespace } from '../workloads/is-terminating-namespace.ts';
import { createPodControl } from '../workloads/pod-control.ts';
import { slowStart } from '../workloads/slow-start.ts';
import { type Workload, workloadController } from '../workloads/workload-controller.ts';
import { jobPod } from './job-pod.ts';
import { planJob } from './plan-job.ts';
import { podFinalizer, releaseOrphans } from './pod-finalizer.ts';
import { RefusalDelays } from './refusal-delays.ts';
import { isHeld, trackPods } from './track-pods.ts';

/** Runs the pods of each Job until enough have succeeded. */
export const jobController = workloadController<Job, Pod>({
  name: 'job-controller',
  alias: 'job',
  account: 'job-controller',
  queue: 'job',
  resource: jobs,
  kind: 'Job',
  makes: pods,
  selectorOf: ({ spec }) => spec.selector,
  concurrency: 'concurrent-job-syncs',
  start,
});

function start(workload: Workload<Job, Pod>) {
  const { events, identifiers } = workload;
  const control = createPodControl(workload);
  const { labelDomain } = identifiers;
  const indexAnnotation = `batch.${labelDomain}/job-completion-index`;
  const costAnnotation = `controller.${labelDomain}/pod-deletion-cost`;

  const finalizer = `batch.${labelDomain}/job-tracking`;
  const finalizers = podFinalizer(workload, finalizer);
  releaseOrphans(workload, finalizer, finalizers).catch(workload.onError);
  const refusals = new RefusalDelays();
  workload.informer.subscribe({ delete: ({ metadata }) => refusals.forget(metadata.uid) }, workload.signal);

  /** Counts pods that have ended, and lets them go. Returns the Job with the status of before. */
  async function count(job: Job & ControllingObject, owned: readonly Pod[]) {
    const { counts, status, release } = trackPods({ job, pods: owned, finalizer, indexAnnotation });
    if (release.length === 0) return { job, counts };
    await workload.writeStatus(job, status);
    await Promise.all(release.map((pod) => finalizers.release(pod)));
    const { name, namespace } = job.metadata;
    return { job: { ...job, ...workload.informer.get(name, namespace) }, counts };
  }

  return async (object: Job & ControllingObject): Promise<ReconcileResult> => {
    const owned = (await workload.claim(object)).map((pod) => control.present(pod));
    if (finishOf(object) || object.metadata.deletionTimestamp) {
      await Promise.all(owned.map((pod) => finalizers.release(pod)));
      return {};
    }
    const adopted = owned.filter((pod) => isActive(pod) && !isHeld(pod, finalizer));
    await Promise.all(adopted.map((pod) => finalizers.hold(pod)));
    const { job, counts } = await count(object, owned);
    const nowMs = Date.now();
    const plan = planJob({ job, pods: owned, counts, indexAnnotation, costAnnotation, nowMs });
    if (!plan) return {};
    const { uid, generation } = job.metadata;
    const state = JSON.stringify([generation, counts.succeeded, counts.failed, owned.filter(isActive).length]);
    const waitMs = refusals.waitMs(uid, state, nowMs);
    const creations = waitMs > 0 ? [] : plan.creations;
    await Promise.all(
      plan.deletions.map(async (pod) => {
        // A pod that is not wanted any more does not count as failed.
        await finalizers.release(pod);
        await control.delete(pod, job);
      }),
    );
    const { successes, error } = await slowStart(creations.length, async (index) => {
      await control.create(jobPod(job, creations[index], { indexAnnotation, finalizer }), job);
    });
    for (const event of plan.events) events.record(job, event);
    await workload.writeStatus(job, { ...plan.status, active: (plan.status.active ?? 0) + successes });
    if (waitMs > 0) return { requeueAfterMs: earliest(waitMs, plan.requeueAfterMs) };
    if (!error || isTerminatingNamespace(error)) {
      refusals.forget(uid);
      return { requeueAfterMs: plan.requeueAfterMs };
    }
    workload.onError(error);
    return { requeueAfterMs: earliest(refusals.refuse(uid, state, nowMs), plan.requeueAfterMs) };
  };
}

function earliest(waitMs: number, otherMs: number | undefined): number {
  return otherMs === undefined ? waitMs : Math.min(waitMs, otherMs);
}
