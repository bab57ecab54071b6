import { controller } from '../../client/controllers/controller.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { matchLabelSelector } from '../../meta/object-label-selector.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type Job, jobs } from '../kinds/job.ts';
import { type Pod, pods } from '../kinds/pod.ts';
import { claimObjects } from '../workloads/claim-objects.ts';
import { indexByController } from '../workloads/owned-objects.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { createPodControl } from '../workloads/pod-control.ts';
import { selectingOwners } from '../workloads/selecting-owners.ts';
import { slowStart } from '../workloads/slow-start.ts';
import { isTerminatingNamespace } from '../workloads/is-terminating-namespace.ts';
import { jobPod } from './job-pod.ts';
import { planJob } from './plan-job.ts';

/** Runs the pods of each Job until enough have succeeded. */
export const jobController: ControllerDefinition = {
  name: 'job-controller',
  alias: 'job',
  account: 'job-controller',
  run,
};

const concurrency = 16;

async function run(
  { client, informers, events, identifiers, metrics, onError }: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  const informer = informers.informer(jobs);
  const podInformer = informers.informer(pods);
  indexByController(podInformer);
  const control = createPodControl({ client, informer: podInformer, events, signal });
  const resource = client.resource(jobs);
  const podResource = client.resource(pods);
  const { labelDomain } = identifiers;
  const indexAnnotation = `batch.${labelDomain}/job-completion-index`;
  const costAnnotation = `controller.${labelDomain}/pod-deletion-cost`;

  async function sync(object: Job): Promise<{ requeueAfterMs?: number }> {
    const job = { ...object, apiVersion: 'batch/v1', kind: 'Job' };
    const { name, namespace } = job.metadata;
    const owned = await claimObjects({
      owner: job,
      matches: matchLabelSelector(job.spec.selector as JsonObject | undefined),
      informer: podInformer,
      resource: podResource,
      readOwner: () => resource.get(name, { namespace, signal }),
      signal,
    });
    const nowMs = Date.now();
    const present = owned.map((pod) => control.present(pod));
    const plan = planJob({ job, pods: present, indexAnnotation, costAnnotation, nowMs });
    if (!plan) return {};
    await Promise.all(plan.deletions.map((pod) => control.delete(pod, job)));
    const { successes, error } = await slowStart(plan.creations.length, async (index) => {
      await control.create(jobPod(job, plan.creations[index], indexAnnotation), job);
    });
    for (const event of plan.events) events.record(job, event);
    const status = { ...plan.status, active: (plan.status.active ?? 0) + successes };
    await writeStatus({ object, status, resource, informer, signal });
    if (error && !isTerminatingNamespace(error)) throw error;
    return { requeueAfterMs: plan.requeueAfterMs };
  }

  await controller<Job>({
    name: 'job',
    informers,
    for: jobs,
    owns: [pods],
    watches: [
      watched<Pod>(
        pods,
        selectingOwners(informer, ({ spec }) => spec.selector),
      ),
    ],
    concurrency,
    metrics,
    onError,
    reconcile: async ({ object }) => (object ? await sync(object) : undefined),
  }).run(signal);
}
