import type { Client } from '../../client/client.ts';
import { controller } from '../../client/controllers/controller.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import { hasReason } from '../../client/status-error.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { matchLabelSelector } from '../../meta/object-label-selector.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { controllerRevisions } from '../kinds/controller-revision.ts';
import { type Pod, pods } from '../kinds/pod.ts';
import { type StatefulSet, statefulSets, volumeClaims } from '../kinds/stateful-set.ts';
import { claimObjects } from '../workloads/claim-objects.ts';
import { ensureRevision, trimRevisions } from '../workloads/keep-revisions.ts';
import { indexByController } from '../workloads/owned-objects.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { createPodControl } from '../workloads/pod-control.ts';
import { selectingOwners } from '../workloads/selecting-owners.ts';
import { planStatefulSet } from './plan-stateful-set.ts';
import { claimsOf, ordinalOf, setPod } from './set-pod.ts';

/** Keeps the pods of each StatefulSet, which have an identity and claims of their own. */
export const statefulSetController: ControllerDefinition = {
  name: 'statefulset-controller',
  alias: 'statefulset',
  account: 'statefulset-controller',
  run,
};

const concurrency = 16;

async function run(
  { client, informers, events, identifiers, metrics, onError }: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  const informer = informers.informer(statefulSets);
  const podInformer = informers.informer(pods);
  const revisions = informers.informer(controllerRevisions);
  indexByController(podInformer);
  indexByController(revisions);
  const control = createPodControl({ client, informer: podInformer, events, signal });
  const resource = client.resource(statefulSets);
  const revisionLabel = 'controller-revision-hash';
  const labels = { podName: `statefulset.${identifiers.labelDomain}/pod-name`, revision: revisionLabel };
  const hashLabel = `controller.${identifiers.labelDomain}/hash`;

  async function sync(object: StatefulSet): Promise<{ requeueAfterMs?: number }> {
    const set = { ...object, apiVersion: 'apps/v1', kind: 'StatefulSet' };
    const { name, namespace } = set.metadata;
    const claimed = await claimObjects({
      owner: set,
      matches: matchLabelSelector(set.spec.selector as JsonObject),
      informer: podInformer,
      resource: client.resource(pods),
      readOwner: () => resource.get(name, { namespace, signal }),
      signal,
    });
    const owned = claimed.map((pod) => control.present(pod)).filter((pod) => ordinalOf(pod, set) !== undefined);
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
      nowMs: Date.now(),
    });
    for (const { ordinal, revision } of plan.creations) {
      await ensureClaims(client, set, ordinal, signal);
      await control.create(setPod(set, ordinal, revision === update.metadata.name ? update : current, labels), set);
    }
    for (const pod of plan.failed) {
      const message = `StatefulSet ${namespace}/${name} is recreating failed Pod ${pod.metadata.name}`;
      events.record(set, { type: 'Warning', reason: 'RecreatingFailedPod', message });
      await control.delete(pod, set);
    }
    for (const pod of plan.deletions) await control.delete(pod, set);
    await writeStatus({ object, status: plan.status, resource, informer, signal });
    const inUse = [update, current].map(({ metadata }) => metadata.name);
    const ofPods = owned.map(({ metadata }) => metadata.labels?.[revisionLabel] ?? '');
    await trimRevisions(owner, all, new Set([...inUse, ...ofPods]), set.spec.revisionHistoryLimit ?? 10);
    return { requeueAfterMs: plan.requeueAfterMs };
  }

  await controller<StatefulSet>({
    name: 'statefulset',
    informers,
    for: statefulSets,
    owns: [pods, controllerRevisions],
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

/** Creates the missing claims of a pod. They outlive it. */
async function ensureClaims(client: Client, set: StatefulSet, ordinal: number, signal: AbortSignal): Promise<void> {
  const resource = client.resource(volumeClaims);
  for (const { claim } of claimsOf(set, ordinal)) {
    try {
      await resource.create(claim, { namespace: set.metadata.namespace, signal });
    } catch (error) {
      if (!hasReason(error, 'AlreadyExists')) throw error;
    }
  }
}
