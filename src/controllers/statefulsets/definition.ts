import type { ReconcileResult } from '../../client/controllers/controller.ts';
import type { EventDescription } from '../../client/events/event-recorder.ts';
import { hasReason } from '../../client/error-of-response.ts';
import { controllerRevisions, type Pod, pods, type StatefulSet, statefulSets, volumeClaims } from '../resources.ts';
import type { ControllingObject } from '../workloads/controller-reference.ts';
import { ensureRevision, trimRevisions } from '../workloads/keep-revisions.ts';
import { indexByController } from '../workloads/owned-objects.ts';
import { createPodControl, type PodMessages } from '../workloads/pod-control.ts';
import { type Workload, workloadController } from '../workloads/workload-controller.ts';
import { planStatefulSet } from './plan-stateful-set.ts';
import { isClaimStale, keepClaims } from './keep-claims.ts';
import { claimsOf, hasClaims, ordinalOf, setPod, withClaims } from './set-pod.ts';

/** Keeps the pods of each StatefulSet, which have an identity and claims of their own. */
export const statefulSetController = workloadController<StatefulSet, Pod>({
  name: 'statefulset-controller',
  alias: 'statefulset',
  account: 'statefulset-controller',
  queue: 'statefulset',
  resource: statefulSets,
  kind: 'StatefulSet',
  makes: pods,
  selectorOf: ({ spec }) => spec.selector,
  mayControl: (pod, set) => ordinalOf(pod, set) !== undefined,
  owns: [controllerRevisions],
  concurrency: 'concurrent-statefulset-syncs',
  start,
});

const revisionLabel = 'controller-revision-hash';

/** The time after which a claim that is being deleted is checked again. */
const staleMs = 1000;

/** The Event messages; since release 1.35 they begin with a capital letter. */
function messagesOf(minor: number): PodMessages {
  const [create, remove] = minor >= 35 ? ['Create', 'Delete'] : ['create', 'delete'];
  return {
    created: (pod, set) => `${create} Pod ${pod} in StatefulSet ${set} successful`,
    deleted: (pod, set) => `${remove} Pod ${pod} in StatefulSet ${set} successful`,
    notCreated: (error, pod, set) => `${create} Pod ${pod} in StatefulSet ${set} failed error: ${error}`,
    notDeleted: (error, pod, set) => `${remove} Pod ${pod} in StatefulSet ${set} failed error: ${error}`,
  };
}

function start(workload: Workload<StatefulSet, Pod>) {
  const { client, informers, events, identifiers, minor, signal } = workload;
  const messages = messagesOf(minor);
  const revisions = informers.informer(controllerRevisions);
  indexByController(revisions);
  const control = createPodControl(workload, messages);
  const { labelDomain } = identifiers;
  const labels = {
    podName: `statefulset.${labelDomain}/pod-name`,
    index: `apps.${labelDomain}/pod-index`,
    revision: revisionLabel,
  };
  const hashLabel = `controller.${labelDomain}/hash`;

  /** Creates the missing claims of a pod that is to be created. */
  async function claimsFor(ordinal: number, set: StatefulSet & ControllingObject): Promise<void> {
    try {
      await ensureClaims(workload, set, ordinal);
    } catch (error) {
      const { name } = set.metadata;
      const message = messages.notCreated(textOf(error), `${name}-${ordinal}`, name);
      events.record(set, { type: 'Warning', reason: 'FailedCreate', message });
      throw error;
    }
  }

  return async (set: StatefulSet & ControllingObject): Promise<ReconcileResult> => {
    const { name, namespace } = set.metadata;
    const claimed = await workload.claim(set);
    const owned = claimed.map((pod) => control.present(pod));
    const { collisionCount } = set.status ?? {};
    const owner = {
      owner: set,
      template: set.spec.template,
      hashLabel,
      collisionCount,
      client,
      informer: revisions,
      signal,
    };
    const { update, all } = await ensureRevision(owner);
    const current = all.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
    const plan = planStatefulSet({
      set,
      pods: owned,
      currentRevision: current.metadata.name,
      updateRevision: update.metadata.name,
      revisionLabel,
      podNameLabel: labels.podName,
      nowMs: Date.now(),
    });
    await keepClaims(workload, set, owned);
    for (const pod of plan.unidentified) await identify(workload, set, pod, labels.podName);
    try {
      for (const { ordinal, revision } of plan.creations) {
        if (await isClaimStale(workload, set, ordinal)) {
          await workload.writeStatus(set, plan.status);
          return { requeueAfterMs: staleMs };
        }
        await claimsFor(ordinal, set);
        await control.create(setPod(set, ordinal, revision === update.metadata.name ? update : current, labels), set);
      }
    } catch (error) {
      // The other pods are counted although one cannot be created.
      await workload.writeStatus(set, plan.status);
      throw error;
    }
    for (const pod of plan.failed) {
      events.record(set, replacementOf(pod, `StatefulSet ${namespace}/${name}`));
      await control.delete(pod, set);
    }
    for (const pod of plan.deletions) await control.delete(pod, set);
    await workload.writeStatus(set, plan.status);
    const inUse = [update, current].map(({ metadata }) => metadata.name);
    const ofPods = owned.map(({ metadata }) => metadata.labels?.[revisionLabel] ?? '');
    await trimRevisions(owner, all, new Set([...inUse, ...ofPods]), set.spec.revisionHistoryLimit ?? 10);
    return { requeueAfterMs: plan.requeueAfterMs };
  };
}

/**
 * Gives an adopted pod the label with its name, and its claims. The server refuses new claims, so
 * the set waits until the pod is gone. A pod that changed meanwhile is reconciled again.
 */
async function identify(
  workload: Workload<StatefulSet, Pod>,
  set: StatefulSet & ControllingObject,
  pod: Pod,
  label: string,
): Promise<void> {
  const { client, made, events, minor, signal } = workload;
  const { name, namespace, uid } = pod.metadata;
  const ordinal = ordinalOf(pod, set) ?? 0;
  const isComplete = hasClaims(set, ordinal, pod);
  const text = `${minor >= 35 ? 'Update' : 'update'} Pod ${name} in StatefulSet ${set.metadata.name}`;
  try {
    if (!isComplete) await ensureClaims(workload, set, ordinal);
    const patch = {
      metadata: { uid, labels: { [label]: name } },
      ...(isComplete ? {} : { spec: { volumes: withClaims(set, ordinal, pod.spec.volumes) } }),
    };
    const written = await client.resource(pods).patch(name, patch, { type: 'merge', namespace, signal });
    events.record(set, { type: 'Normal', reason: 'SuccessfulUpdate', message: `${text} successful` });
    await made.waitFor(written.metadata.resourceVersion, signal);
  } catch (error) {
    if (hasReason(error, 'NotFound', 'Conflict')) return;
    const message = `${text} failed error: ${textOf(error)}`;
    events.record(set, { type: 'Warning', reason: 'FailedUpdate', message });
    throw error;
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The Event of a pod that has ended and is replaced. */
function replacementOf({ metadata, status }: Pod, set: string): EventDescription {
  return status?.phase === 'Failed'
    ? {
        type: 'Warning',
        reason: 'RecreatingFailedPod',
        message: `${set} is recreating failed Pod ${metadata.name}`,
      }
    : {
        type: 'Normal',
        reason: 'RecreatingTerminatedPod',
        message: `${set} is recreating terminated Pod ${metadata.name}`,
      };
}

/** Creates the missing claims of a pod, which outlive it. Throws Error that names the claim. */
async function ensureClaims(
  { client, events, signal }: Workload<StatefulSet, Pod>,
  set: StatefulSet & ControllingObject,
  ordinal: number,
): Promise<void> {
  const resource = client.resource(volumeClaims);
  const { name, namespace } = set.metadata;
  for (const { claim } of claimsOf(set, ordinal)) {
    const [claimName, pod] = [claim.metadata?.name ?? '', `Pod ${name}-${ordinal} in StatefulSet ${name}`];
    try {
      await resource.create(claim, { namespace, signal });
      const message = `create Claim ${claimName} ${pod} success`;
      events.record(set, { type: 'Normal', reason: 'SuccessfulCreate', message });
    } catch (error) {
      if (hasReason(error, 'AlreadyExists')) continue;
      const message = `create Claim ${claimName} for ${pod} failed error: ${textOf(error)}`;
      events.record(set, { type: 'Warning', reason: 'FailedCreate', message });
      throw new Error(`failed to create PVC ${claimName}: ${textOf(error)}`, { cause: error });
    }
  }
}
