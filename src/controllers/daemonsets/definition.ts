import type { ApiObject } from '../../client/api-object.ts';
import { controller } from '../../client/controllers/controller.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { matchLabelSelector } from '../../meta/object-label-selector.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { controllerRevisions } from '../kinds/controller-revision.ts';
import { type DaemonSet, daemonSets } from '../kinds/daemon-set.ts';
import { nodes } from '../kinds/node.ts';
import { type Pod, pods } from '../kinds/pod.ts';
import { claimObjects } from '../workloads/claim-objects.ts';
import { ensureRevision, trimRevisions } from '../workloads/keep-revisions.ts';
import { indexByController } from '../workloads/owned-objects.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { createPodControl } from '../workloads/pod-control.ts';
import { selectingOwners } from '../workloads/selecting-owners.ts';
import { slowStart } from '../workloads/slow-start.ts';
import { daemonPod, revisionLabel } from './daemon-pod.ts';
import { planDaemonSet } from './plan-daemon-set.ts';

/** Keeps a pod of each DaemonSet on every node that it selects. */
export const daemonSetController: ControllerDefinition = {
  name: 'daemonset-controller',
  alias: 'daemonset',
  account: 'daemon-set-controller',
  run,
};

const concurrency = 4;

async function run(
  { client, informers, events, identifiers, metrics, onError }: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  const informer = informers.informer(daemonSets);
  const podInformer = informers.informer(pods);
  const nodeInformer = informers.informer(nodes);
  const revisions = informers.informer(controllerRevisions);
  indexByController(podInformer);
  indexByController(revisions);
  const control = createPodControl({ client, informer: podInformer, events, signal });
  const resource = client.resource(daemonSets);

  async function sync(object: DaemonSet): Promise<{ requeueAfterMs?: number }> {
    const set = { ...object, apiVersion: 'apps/v1', kind: 'DaemonSet' };
    const { name, namespace } = set.metadata;
    const claimed = await claimObjects({
      owner: set,
      matches: matchLabelSelector(set.spec.selector as JsonObject),
      informer: podInformer,
      resource: client.resource(pods),
      readOwner: () => resource.get(name, { namespace, signal }),
      signal,
    });
    const owned = claimed.map((pod) => control.present(pod));
    const { collisionCount } = set.status ?? {};
    const revisionOwner = {
      owner: set,
      template: set.spec.template,
      hashLabel: revisionLabel,
      collisionCount,
      client,
      informer: revisions,
      signal,
    };
    const { update, all } = await ensureRevision(revisionOwner);
    const hash = hashOf(update);
    const plan = planDaemonSet({ set, nodes: nodeInformer.list(), pods: owned, hash, identifiers, nowMs: Date.now() });
    for (const pod of plan.failed) {
      const message = `Found failed daemon pod ${namespace}/${pod.metadata.name} on node ${pod.spec.nodeName}, will try to kill it`;
      events.record(set, { type: 'Warning', reason: 'FailedDaemonPod', message });
    }
    await Promise.all([...plan.failed, ...plan.deletions].map((pod) => control.delete(pod, set)));
    const { error } = await slowStart(plan.creations.length, async (index) => {
      await control.create(daemonPod(set, plan.creations[index] ?? '', hash, identifiers), set);
    });
    await writeStatus({ object, status: plan.status, resource, informer, signal });
    const used = new Set([hash, ...owned.map(({ metadata }) => metadata.labels?.[revisionLabel] ?? '')]);
    const inUse = all.filter((revision) => used.has(hashOf(revision))).map(({ metadata }) => metadata.name);
    await trimRevisions(revisionOwner, all, new Set(inUse), set.spec.revisionHistoryLimit ?? 10);
    if (error) throw error;
    return { requeueAfterMs: plan.requeueAfterMs };
  }

  const daemons = controller<DaemonSet>({
    name: 'daemonset',
    informers,
    for: daemonSets,
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
  });
  const enqueueAll = (): void => {
    for (const { metadata } of informer.list()) daemons.enqueue(metadata.name, metadata.namespace);
  };
  nodeInformer.subscribe(
    {
      add: enqueueAll,
      // Heartbeats change only the status.
      update: (node, old) => placementOf(node) !== placementOf(old) && enqueueAll(),
      delete: enqueueAll,
    },
    signal,
  );
  await nodeInformer.synced(signal);
  await daemons.run(signal);
}

function hashOf({ metadata }: ApiObject): string {
  return metadata?.labels?.[revisionLabel] ?? '';
}

function placementOf({ metadata, spec }: ApiObject & { spec?: object }): string {
  return JSON.stringify([metadata?.labels, spec]);
}
