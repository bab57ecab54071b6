import { pause } from '../../async/timers.ts';
import type { Lease } from '../../client/leader-election.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import { formatTime } from '../../meta/time.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type Node, nodes, pods, type Pod } from '../resources.ts';
import type { Taint } from '../../gen/types/core-v1.ts';
import { indexByNode, podsOn } from '../workloads/pods-by-node.ts';
import { conditionTaints, isConditionTaint } from './node-conditions.ts';
import { NodeHeartbeats } from './node-heartbeats.ts';
import { createNodeMonitor } from './node-monitor.ts';
import { writeTaints } from './write-taints.ts';
import { ZoneEvictions } from './zone-evictions.ts';
import type { EventRecorder } from '../../client/events/event-recorder.ts';
import type { ResourceClient } from '../../client/resource-client.ts';
import { isReady } from '../../kinds/core/pod.ts';

/** Gives up nodes without a sign of life, and taints those in trouble. */
export const nodeLifecycleController: ControllerDefinition = {
  name: 'node-lifecycle-controller',
  alias: 'nodelifecycle',
  component: 'node-controller',
  account: 'node-controller',
  run,
};

const concurrency = 8;

const changeEvents = Object.freeze({
  registered: { reason: 'RegisteredNode', end: (name: string) => `Registered Node ${name} in Controller` },
  removed: { reason: 'RemovingNode', end: (name: string) => `Removing Node ${name} from Controller` },
});

async function run(context: ControllerContext, signal: AbortSignal): Promise<void> {
  const { client, informers, identifiers, options, events, onError, controller } = context;
  const nodeInformer = informers.informer(nodes);
  const podInformer = informers.informer(pods);
  indexByNode(podInformer);
  const resource = client.resource(nodes);
  const leases = informers.informer<Lease>(
    { group: `coordination.${identifiers.apiDomain}`, version: 'v1', resource: 'leases' },
    { namespace: `${identifiers.prefix}node-lease` },
  );

  /** The taints of a node with those that stand for its conditions. */
  function withConditionTaints(node: Node): readonly Taint[] {
    const wanted = conditionTaints(node, identifiers);
    const kept = (node.spec?.taints ?? []).filter(
      (taint) => !isConditionTaint(taint, identifiers) || has(wanted, taint),
    );
    const timeAdded = formatTime(Date.now());
    return [...kept, ...wanted.filter((taint) => !has(kept, taint)).map((taint) => ({ ...taint, timeAdded }))];
  }

  const look = createNodeMonitor({
    identifiers,
    nodes: () => nodeInformer.list(),
    renewTimeOf: ({ metadata: { name } }) => leases.get(name, `${identifiers.prefix}node-lease`)?.spec?.renewTime,
    heartbeats: new NodeHeartbeats({
      monitorMs: options['node-monitor-grace-period'],
      startupMs: options['node-startup-grace-period'],
    }),
    evictions: new ZoneEvictions(
      {
        perSecond: options['node-eviction-rate'],
        secondaryPerSecond: options['secondary-node-eviction-rate'],
        largeZone: options['large-cluster-size-threshold'],
        unhealthyShare: options['unhealthy-zone-threshold'],
      },
      identifiers,
    ),
    async writeStatus(node) {
      return await ignoreReasons(resource.update(node, { subresource: 'status', signal }), 'NotFound', 'Conflict');
    },
    writeTaints: (node, wantedTaints) => writeTaints(resource, node, wantedTaints, signal),
    reportChange(change, { name, uid }) {
      const { reason, end } = changeEvents[change];
      const message = `Node ${name} event: ${end(name)}`;
      events.record({ apiVersion: 'v1', kind: 'Node', metadata: { name, uid } }, { type: 'Normal', reason, message });
    },
    async reportLost(node) {
      const { name } = node.metadata;
      const message = `Node ${name} status is now: NodeNotReady`;
      events.record({ ...node, apiVersion: 'v1', kind: 'Node' }, { type: 'Normal', reason: 'NodeNotReady', message });
      await reportPodsUnready(podsOn(podInformer, name), { resource: client.resource(pods), events, signal });
    },
  });

  async function monitor(): Promise<void> {
    await Promise.all([nodeInformer.synced(signal), leases.synced(signal), podInformer.synced(signal)]);
    while (!signal.aborted) {
      try {
        await look(context.now());
      } catch (error) {
        onError(error);
      }
      await pause(options['node-monitor-period'], signal);
    }
  }

  const tainting = controller<Node>({
    name: 'nodelifecycle',
    for: nodes,
    concurrency,
    async reconcile({ object }) {
      if (!object) return;
      const present = object.spec?.taints ?? [];
      const wanted = withConditionTaints(object);
      const isSame = wanted.length === present.length && wanted.every((taint) => present.includes(taint));
      if (!isSame) await writeTaints(resource, object, withConditionTaints, signal);
    },
  });
  await Promise.all([tainting.run(signal), monitor()]);
}

function has(taints: readonly Taint[], { key, effect }: Taint): boolean {
  return taints.some((taint) => taint.key === key && taint.effect === effect);
}

/** Writes that the pods of a lost node are not ready, because no node agent does. */
async function reportPodsUnready(
  lost: readonly Pod[],
  {
    resource,
    events,
    signal,
  }: { readonly resource: ResourceClient<Pod>; readonly events: EventRecorder; readonly signal: AbortSignal },
): Promise<void> {
  for (const pod of lost.filter(isReady)) {
    const message = 'Node is not ready';
    events.record({ ...pod, apiVersion: 'v1', kind: 'Pod' }, { type: 'Warning', reason: 'NodeNotReady', message });
    const lastTransitionTime = formatTime(Date.now());
    const conditions = pod.status?.conditions?.map((condition) =>
      condition.type === 'Ready' ? { ...condition, status: 'False', lastTransitionTime } : condition,
    );
    await ignoreReasons(
      resource.update({ ...pod, status: { ...pod.status, conditions } }, { subresource: 'status', signal }),
      'NotFound',
      'Conflict',
    );
  }
}
