import type { ReconcileResult } from '../../client/controllers/controller.ts';
import { type Job, jobs } from '../kinds/job.ts';
import { type Pod, pods } from '../kinds/pod.ts';
import type { ControllingObject } from '../workloads/controller-reference.ts';
import { isTerminatingNamespace } from '../workloads/is-terminating-namespace.ts';
import { createPodControl } from '../workloads/pod-control.ts';
import { slowStart } from '../workloads/slow-start.ts';
import { type Workload, workloadController } from '../workloads/workload-controller.ts';
import { jobPod } from './job-pod.ts';
import { planJob } from './plan-job.ts';

/** Runs the pods of each Job until enough have succeeded. */
export const jobController = workloadController<Job, Pod>({
  name: 'job-controller',
  alias: 'job',
  account: 'job-controller',
  queue: 'job',
  resource: jobs,
  apiVersion: 'batch/v1',
  kind: 'Job',
  makes: pods,
  selectorOf: ({ spec }) => spec.selector,
  concurrency: 16,
  start,
});

function start(workload: Workload<Job, Pod>) {
  const { events, identifiers } = workload;
  const control = createPodControl(workload);
  const { labelDomain } = identifiers;
  const indexAnnotation = `batch.${labelDomain}/job-completion-index`;
  const costAnnotation = `controller.${labelDomain}/pod-deletion-cost`;

  return async (job: Job & ControllingObject): Promise<ReconcileResult> => {
    const owned = await workload.claim(job);
    const nowMs = Date.now();
    const present = owned.map((pod) => control.present(pod));
    const plan = planJob({ job, pods: present, indexAnnotation, costAnnotation, nowMs });
    if (!plan) return {};
    await Promise.all(plan.deletions.map((pod) => control.delete(pod, job)));
    const { successes, error } = await slowStart(plan.creations.length, async (index) => {
      await control.create(jobPod(job, plan.creations[index], indexAnnotation), job);
    });
    for (const event of plan.events) events.record(job, event);
    await workload.writeStatus(job, { ...plan.status, active: (plan.status.active ?? 0) + successes });
    if (error && !isTerminatingNamespace(error)) throw error;
    return { requeueAfterMs: plan.requeueAfterMs };
  };
}
