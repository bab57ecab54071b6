import type { ApiObject } from '../../client/api-object.ts';
import type { ReconcileResult } from '../../client/controllers/controller.ts';
import { controllerRevisions, type DaemonSet, daemonSets, nodes, type Pod, pods } from '../resources.ts';
import type { ControllingObject } from '../workloads/controller-reference.ts';
import { ensureRevision, trimRevisions } from '../workloads/keep-revisions.ts';
import { indexByController } from '../workloads/owned-objects.ts';
import { createPodControl, slowStart } from '../workloads/pod-control.ts';
import { type Workload, workloadController } from '../workloads/workload-controller.ts';
import { daemonPod, revisionLabel } from './daemon-pod.ts';
import { planDaemonSet } from './plan-daemon-set.ts';

/** Keeps a pod of each DaemonSet on every node that it selects. */
export const daemonSetController = workloadController<DaemonSet, Pod>({
  name: 'daemonset-controller',
  alias: 'daemonset',
  account: 'daemon-set-controller',
  queue: 'daemonset',
  resource: daemonSets,
  kind: 'DaemonSet',
  makes: pods,
  selectorOf: ({ spec }) => spec.selector,
  owns: [controllerRevisions],
  concurrency: 'concurrent-daemonset-syncs',
  start,
});

async function start(workload: Workload<DaemonSet, Pod>) {
  const { client, informers, events, identifiers, signal, enqueueAll } = workload;
  const nodeInformer = informers.informer(nodes);
  const revisions = informers.informer(controllerRevisions);
  indexByController(revisions);
  const control = createPodControl(workload);
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

  return async (set: DaemonSet & ControllingObject): Promise<ReconcileResult> => {
    const { namespace } = set.metadata;
    const owned = (await workload.claim(set)).map((pod) => control.present(pod));
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
    await workload.writeStatus(set, plan.status);
    const used = new Set([hash, ...owned.map(({ metadata }) => metadata.labels?.[revisionLabel] ?? '')]);
    const inUse = all.filter((revision) => used.has(hashOf(revision))).map(({ metadata }) => metadata.name);
    await trimRevisions(revisionOwner, all, new Set(inUse), set.spec.revisionHistoryLimit ?? 10);
    if (error) throw error;
    return { requeueAfterMs: plan.requeueAfterMs };
  };
}

function hashOf({ metadata }: ApiObject): string {
  return metadata?.labels?.[revisionLabel] ?? '';
}

function placementOf({ metadata, spec }: ApiObject & { spec?: object }): string {
  return JSON.stringify([metadata?.labels, spec]);
}
