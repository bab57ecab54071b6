import type { ReconcileResult } from '../../client/controllers/controller.ts';
import { finishOf } from '../../kinds/batch/job.ts';
import { type Job, jobs, type Pod, pods } from '../resources.ts';
import { isActive } from '../../kinds/core/pod.ts';
import { type ControllingObject, controllerOf } from '../workloads/controller-reference.ts';
import { isTerminatingNamespace } from '../is-terminating.ts';
import { createPodControl, slowStart } from '../workloads/pod-control.ts';
import { type Workload, workloadController } from '../workloads/workload-controller.ts';
import { planJob } from './plan-job.ts';
import { RefusalDelays } from './refusal-delays.ts';
import { isHeld } from './job-pods.ts';
import { jobPod } from './job-pod.ts';
import { trackPods } from './track-pods.ts';
import { WorkQueue } from '../../client/queue/work-queue.ts';
import { objectKey } from '../../client/informers/indexer.ts';
import { hasReason } from '../../client/error-of-response.ts';
import { controlledBy } from '../workloads/owned-objects.ts';

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
  const { events, identifiers, minor } = workload;
  const control = createPodControl(workload);
  const { labelDomain } = identifiers;
  const indexAnnotation = `batch.${labelDomain}/job-completion-index`;
  const costAnnotation = `controller.${labelDomain}/pod-deletion-cost`;

  const failuresAnnotation = `batch.${labelDomain}/job-index-failure-count`;
  const finalizer = `batch.${labelDomain}/job-tracking`;
  // Pods have the index as a label since release 1.28.
  const indexPath = `metadata.${minor >= 28 ? 'labels' : 'annotations'}['${indexAnnotation}']`;
  const names = { indexAnnotation, indexPath, failuresAnnotation, finalizer };
  const self = `${labelDomain}/job-controller`;
  const finalizers = podFinalizer(workload, finalizer);
  releaseOrphans(workload, finalizer, finalizers).catch(workload.onError);
  const refusals = new RefusalDelays();
  workload.informer.subscribe({ delete: ({ metadata }) => refusals.forget(metadata.uid) }, workload.signal);

  /** Counts pods that have ended, and lets them go. Returns the Job with the status of before. */
  async function count(job: Job & ControllingObject, owned: readonly Pod[]) {
    const { counts, status, release } = trackPods({ job, pods: owned, ...names });
    if (release.length === 0) return { job, counts };
    await workload.writeStatus(job, status);
    await Promise.all(release.map((pod) => finalizers.release(pod)));
    const { name, namespace } = job.metadata;
    return { job: { ...job, ...workload.informer.get(name, namespace) }, counts };
  }

  return async (object: Job & ControllingObject): Promise<ReconcileResult> => {
    // Another controller manages the Job.
    if ((object.spec.managedBy ?? self) !== self) return {};
    const owned = (await workload.claim(object)).map((pod) => control.present(pod));
    if (finishOf(object) || object.metadata.deletionTimestamp) {
      await Promise.all(owned.map((pod) => finalizers.release(pod)));
      return {};
    }
    const adopted = owned.filter((pod) => isActive(pod) && !isHeld(pod, finalizer));
    await Promise.all(adopted.map((pod) => finalizers.hold(pod)));
    const { job, counts } = await count(object, owned);
    const nowMs = Date.now();
    const plan = planJob({ job, pods: owned, counts, ...names, costAnnotation, minor, nowMs });
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
      const creation = creations[index];
      if (creation) await control.create(jobPod(job, creation, names), job);
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

/** Puts the finalizer on pods, and takes it off. Resolves when the informer has the pods. */
interface PodFinalizer {
  readonly hold: (pod: Pod) => Promise<void>;
  /** A pod without the finalizer is left as it is. */
  readonly release: (pod: Pod) => Promise<void>;
}

/** Creates the writer of a finalizer of pods. */
function podFinalizer({ client, made, signal }: Workload<Job, Pod>, finalizer: string): PodFinalizer {
  const resource = client.resource(pods);

  async function change({ metadata }: Pod, fields: object): Promise<void> {
    const { name, namespace, uid } = metadata;
    try {
      const patch = { metadata: { uid, ...fields } };
      const written = await resource.patch(name, patch, { type: 'strategic', namespace, signal });
      // One that was being deleted may be gone with its last finalizer.
      if (written.metadata.deletionTimestamp === undefined) {
        await made.waitFor(written.metadata.resourceVersion, signal);
      }
    } catch (error) {
      // It is gone, or another one has its name.
      if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
    }
  }

  return {
    hold: (pod) => change(pod, { finalizers: [finalizer] }),
    async release(pod) {
      if (isHeld(pod, finalizer)) await change(pod, { '$deleteFromPrimitiveList/finalizers': [finalizer] });
    },
  };
}

/** Takes the finalizer off pods whose Job is gone, until the signal aborts. */
async function releaseOrphans(
  workload: Workload<Job, Pod>,
  finalizer: string,
  { release }: PodFinalizer,
): Promise<void> {
  const { made, informer, metrics, signal, onError } = workload;
  const queue = new WorkQueue({ name: 'job_orphan_pod', metrics });
  const isOrphan = (pod: Pod): boolean => {
    if (!isHeld(pod, finalizer)) return false;
    const owner = controllerOf(pod);
    return !owner || informer.get(owner.name, pod.metadata.namespace)?.metadata.uid !== owner.uid;
  };
  const enqueue = ({ metadata }: Pod): void => queue.add(objectKey(metadata.name, metadata.namespace));
  const check = (pod: Pod): void => {
    if (isOrphan(pod)) enqueue(pod);
  };
  await Promise.all([made.synced(signal), informer.synced(signal)]);
  made.subscribe({ add: check, update: check }, signal);
  informer.subscribe({ delete: ({ metadata }) => controlledBy(made, metadata.uid).forEach(check) }, signal);
  const handle = async (key: string): Promise<void> => {
    const [namespace, name = ''] = key.split('/');
    const pod = made.get(name, namespace);
    if (pod && isOrphan(pod)) await release(pod);
  };
  await queue.process({ handle, onError: (error) => signal.aborted || onError(error) }, signal);
}
