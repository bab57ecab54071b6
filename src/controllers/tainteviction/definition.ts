import { watched } from '../../client/controllers/watch-sources.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type Node, nodes, type Pod, pods } from '../resources.ts';
import type { Taint, Toleration } from '../../gen/types/core-v1.ts';
import { indexByNode, podsOn } from '../workloads/pods-by-node.ts';
import { tolerates } from '../../kinds/core/tolerates.ts';

/** Ends the pods of nodes with NoExecute taints when they no longer tolerate them. */
export const taintEviction: ControllerDefinition = {
  name: 'taint-eviction-controller',
  alias: 'taint-eviction-controller',
  component: 'taint-controller',
  account: 'node-controller',
  run,
};

const concurrency = 8;

const reason = 'TaintManagerEviction';

async function run({ client, informers, events, controller }: ControllerContext, signal: AbortSignal): Promise<void> {
  const nodeInformer = informers.informer(nodes);
  const podInformer = informers.informer(pods);
  indexByNode(podInformer);
  const resource = client.resource(pods);
  /** The times at which pods that wait began to tolerate the taints, by uid. */
  const waiting = new Map<string, { readonly node: string; readonly sinceMs: number }>();

  function cancel(pod: Pod): void {
    if (!waiting.delete(pod.metadata.uid) || pod.metadata.deletionTimestamp) return;
    const { name, namespace } = pod.metadata;
    events.record(withKind(pod), {
      type: 'Normal',
      reason,
      message: `Cancelling deletion of Pod ${namespace}/${name}`,
    });
  }

  async function evict(pod: Pod): Promise<void> {
    const { name, namespace, uid } = pod.metadata;
    const message = `Marking for deletion Pod ${namespace}/${name}`;
    events.record(withKind(pod), { type: 'Normal', reason, message });
    waiting.delete(uid);
    await ignoreReasons(resource.delete(name, { namespace, preconditions: { uid }, signal }), 'NotFound', 'Conflict');
  }

  /** Returns the time until the pod has to end. */
  async function judge(pod: Pod, node: string, taints: readonly Taint[]): Promise<number> {
    const { uid, deletionTimestamp } = pod.metadata;
    if (deletionTimestamp !== undefined) {
      waiting.delete(uid);
      return Infinity;
    }
    const tolerated = toleratedMs(pod.spec.tolerations, taints);
    if (tolerated === Infinity) {
      cancel(pod);
      return Infinity;
    }
    const nowMs = performance.now();
    const { sinceMs } = waiting.get(uid) ?? { sinceMs: nowMs };
    waiting.set(uid, { node, sinceMs });
    const leftMs = sinceMs + tolerated - nowMs;
    if (leftMs > 0) return leftMs;
    await evict(pod);
    return Infinity;
  }

  podInformer.subscribe({ delete: ({ metadata }) => waiting.delete(metadata.uid) }, signal);
  await controller<Node>({
    name: 'tainteviction',
    for: nodes,
    watches: [
      watched<Pod>(pods, ({ spec: { nodeName = '' } }) => {
        const node = nodeName === '' ? undefined : nodeInformer.get(nodeName);
        return node && evictingTaints(node).length > 0 ? [{ namespace: '', name: nodeName }] : [];
      }),
    ],
    concurrency,
    async reconcile({ object, name }) {
      const taints = object ? evictingTaints(object) : [];
      const isWaitedFor = [...waiting.values()].some(({ node }) => node === name);
      if (taints.length === 0 && !isWaitedFor) return undefined;
      const bound = podsOn(podInformer, name);
      if (taints.length === 0) {
        bound.forEach(cancel);
        return undefined;
      }
      const waits = await Promise.all(bound.map((pod) => judge(pod, name, taints)));
      const next = Math.min(...waits);
      return next === Infinity ? undefined : { requeueAfterMs: next };
    },
  }).run(signal);
}

function evictingTaints({ spec }: Node): readonly Taint[] {
  return (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
}

function withKind(pod: Pod): Pod {
  return { ...pod, apiVersion: 'v1', kind: 'Pod' };
}

/**
 * The time that a pod tolerates taints: the shortest of the tolerations that match one of them, 0
 * if one is not tolerated, and Infinity if no toleration has a limit.
 */
function toleratedMs(tolerations: readonly Toleration[] = [], taints: readonly Taint[]): number {
  const matching = taints.map((taint) => tolerations.filter((toleration) => tolerates([toleration], taint)));
  if (matching.some((found) => found.length === 0)) return 0;
  const seconds = matching.flat().map(({ tolerationSeconds = Infinity }) => Math.max(0, tolerationSeconds));
  return 1000 * Math.min(...seconds);
}
