import type { Node, Pod } from '../../controllers/resources.ts';
import { matchesNode } from '../../kinds/core/node-selector.ts';
import { tolerates, untolerated } from '../../kinds/core/tolerates.ts';
import { memoize } from '../../meta/memoize.ts';
import { affinityChecks } from './affinity-checks.ts';
import type { ClusterState, PlacedPod } from './cluster-state.ts';
import type { NodeCheck, Obstacle } from './node-check.ts';
import type { DeviceCheck } from './devices/device-scheduling.ts';
import { hostPortsOf, portsCollide } from './host-ports.ts';
import { addTo, type Amounts, amountsOf, requestsOf } from './pod-requests.ts';
import { priorityOf } from './pod-priority.ts';
import { spreadChecks } from './spread-checks.ts';
import { mayRestartAll } from '../../kinds/core/pod.ts';

/** How the nodes are checked for a pod. */
export interface ObstacleOptions {
  /** The key of the taint that an unschedulable node stands for. */
  readonly unschedulableTaint: string;
  /** Makes the check of the volumes of a pod. */
  readonly volumeCheck: (pod: Pod) => NodeCheck;
  /** Makes the check of the devices of a pod. */
  readonly deviceCheck: (pod: Pod) => DeviceCheck;
}

/** Finds the first obstacle of a pod on each node, in the state of the cluster as it is now. */
export function nodeObstacles(pod: Pod, state: ClusterState, options: ObstacleOptions): NodeCheck {
  const devices = options.deviceCheck(pod);
  const checks: readonly NodeCheck[] = [
    nodeCheck(pod, options.unschedulableTaint),
    portCheck(pod, state),
    resourceCheck(pod, state, devices.provides),
    options.volumeCheck(pod),
    ...spreadChecks(pod, state),
    ...affinityChecks(pod, state),
    (node) => {
      const reason = devices.problem(node);
      return reason === undefined ? undefined : lasting(reason);
    },
    featureCheck(pod, state),
  ];
  return (node) => {
    for (const check of checks) {
      const found = check(node);
      if (found) return found;
    }
    return undefined;
  };
}

/** Makes an obstacle that stays whichever pods end. */
function lasting(reason: string): Obstacle {
  return { reasons: [reason], removable: false };
}

function nodeCheck({ spec }: Pod, unschedulableTaint: string): NodeCheck {
  const unschedulable = { key: unschedulableTaint, effect: 'NoSchedule' };
  return (node) => {
    if (node.spec?.unschedulable && !tolerates(spec.tolerations, unschedulable)) {
      return lasting('node(s) were unschedulable');
    }
    const [taint] = untolerated(spec.tolerations, node.spec?.taints, ['NoSchedule', 'NoExecute']);
    if (taint) return lasting(`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`);
    return matchesNode(spec, node) ? undefined : lasting("node(s) didn't match Pod's node affinity/selector");
  };
}

function portCheck(pod: Pod, state: ClusterState): NodeCheck {
  const ports = hostPortsOf(pod);
  const collision: Obstacle = {
    reasons: ["node(s) didn't have free ports for the requested pod ports"],
    removable: true,
  };
  if (ports.length === 0) return () => undefined;
  return ({ metadata }) => {
    const { pods, nominated } = state.useOf(metadata.name);
    const others = [...pods.values(), ...[...nominated.values()].filter((other) => outranks(other.pod, pod))];
    return others.some((other) => portsCollide(ports, other.ports)) ? collision : undefined;
  };
}

/** True if room that is kept for a nominated pod is none for `pod`. */
function outranks(nominated: Pod, pod: Pod): boolean {
  return nominated.metadata.uid !== pod.metadata.uid && priorityOf(nominated) >= priorityOf(pod);
}

function resourceCheck(pod: Pod, state: ClusterState, isProvided: DeviceCheck['provides']): NodeCheck {
  const all = Object.entries(requestsOf(pod)).filter(([, amount]) => amount > 0);
  return (node) => {
    const requests = all.filter(([name]) => !isProvided(name, node));
    const total = offerOf(node);
    const { used, nominated } = state.useOf(node.metadata.name);
    const kept = keptRoom(nominated, pod);
    const isShort = ([name, amount]: readonly [string, number]): boolean =>
      amount > (total[name] ?? 0) - (used[name] ?? 0) - (kept[name] ?? 0);
    // Most nodes have room, and this is called for a hundred of them for each pod.
    if (!requests.some(isShort)) return undefined;
    const missing = requests.filter(isShort).map(([name]) => name);
    const reasons = missing.map((name) => (name === 'pods' ? 'Too many pods' : `Insufficient ${name}`));
    // No end of others helps a pod that asks for more than the node has.
    return { reasons, removable: requests.every(([name, amount]) => amount <= (total[name] ?? 0)) };
  };
}

const nothing: Amounts = Object.freeze({});

/** The resources that are kept for nominated pods before `pod`. */
function keptRoom(nominated: ReadonlyMap<string, PlacedPod>, pod: Pod): Amounts {
  if (nominated.size === 0) return nothing;
  const kept: Record<string, number> = {};
  for (const other of nominated.values()) if (outranks(other.pod, pod)) addTo(kept, other.requests);
  return kept;
}

/** The resources of a node, read once for each of its states. */
export const offerOf = memoize(({ status }: Node): Amounts => amountsOf(status?.allocatable ?? status?.capacity));

/** The node features that pods may need, each with a function that tells if a pod needs it. */
const features: Readonly<Record<string, (spec: Pod['spec']) => boolean>> = Object.freeze({
  RestartAllContainersOnContainerExits: ({ containers, initContainers = [] }) =>
    [...containers, ...initContainers].some(mayRestartAll),
  UserNamespacesHostNetworkSupport: ({ hostNetwork, hostUsers }) => hostNetwork === true && hostUsers === false,
});

const obstacle = Object.freeze({
  reasons: ["node(s) didn't match Pod's required features"],
  removable: false,
});

/**
 * Checks that nodes declare the features that a pod needs. If no node declares any, the server does
 * not know the field and all nodes pass.
 */
function featureCheck({ spec }: Pod, { nodes }: ClusterState): NodeCheck {
  const needed = Object.keys(features).filter((name) => features[name]?.(spec));
  const isKnown = needed.length > 0 && nodes.some(({ status }) => (status?.declaredFeatures ?? []).length > 0);
  if (!isKnown) return () => undefined;
  return ({ status }) => {
    const declared = status?.declaredFeatures ?? [];
    return needed.every((name) => declared.includes(name)) ? undefined : obstacle;
  };
}
