import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { DaemonSet, Node, Pod } from '../resources.ts';
import type { DaemonSetStatus } from '../../gen/types/apps-v1.ts';
import type { PodSpec } from '../../gen/types/core-v1.ts';
import { matchesNode } from '../../kinds/core/node-selector.ts';
import { availableInMs, hasEnded, isAvailable, isReady } from '../../kinds/core/pod.ts';
import { untolerated } from '../../kinds/core/tolerates.ts';
import { resolveCount } from '../../kinds/meta/parse-percent.ts';
import { daemonTolerations, revisionLabel, targetNode } from './daemon-pod.ts';

/** The state that a plan depends on. */
interface DaemonState {
  readonly set: DaemonSet;
  readonly nodes: readonly Node[];
  /** The pods that the DaemonSet controls. */
  readonly pods: readonly Pod[];
  /** The hash of the present template's revision. */
  readonly hash: string;
  readonly identifiers: Identifiers;
  readonly nowMs: number;
}

/** The next step of a DaemonSet. */
interface DaemonPlan {
  /** Names of the nodes that get a pod. */
  readonly creations: readonly string[];
  readonly deletions: readonly Pod[];
  /** Failed pods, which are deleted to be created again. */
  readonly failed: readonly Pod[];
  readonly status: DaemonSetStatus;
  readonly requeueAfterMs?: number;
}

/** The pods of one node. */
interface NodePods {
  readonly name: string;
  readonly wanted: boolean;
  /** Pods may stay although new ones would not be created. */
  readonly mayStay: boolean;
  readonly pods: readonly Pod[];
}

/** Plans the pods of a DaemonSet: one on each node that it tolerates and selects. */
export function planDaemonSet(state: DaemonState): DaemonPlan {
  const { set, pods, nowMs } = state;
  const nodes = podsByNode(state);
  const status = statusOf(state, nodes);
  const waits = pods
    .filter(isReady)
    .map((pod) => availableInMs(pod, set.spec.minReadySeconds ?? 0, nowMs))
    .filter((ms) => ms > 0);
  const requeueAfterMs = waits.length > 0 ? Math.min(...waits) : undefined;
  if (set.metadata.deletionTimestamp) return { creations: [], deletions: [], failed: [], status };
  const failed = nodes.flatMap((node) => (node.mayStay ? node.pods.filter(hasEnded) : [])).filter(isPresent);
  const missing = nodes.filter((node) => node.wanted && node.pods.length === 0).map(({ name }) => name);
  const surplus = nodes.flatMap((node) => surplusOf(state, node)).filter(isPresent);
  const update = missing.length + surplus.length + failed.length > 0 ? nothing : updateOf(state, nodes);
  return {
    creations: [...missing, ...update.creations],
    deletions: [...surplus, ...update.deletions],
    failed,
    status,
    requeueAfterMs,
  };
}

const nothing = Object.freeze({ creations: [], deletions: [] });

function podsByNode({ set, nodes, pods, identifiers }: DaemonState): NodePods[] {
  const byName = new Map<string, Pod[]>();
  for (const pod of pods) {
    const name = targetNode(pod.spec) ?? '';
    byName.set(name, [...(byName.get(name) ?? []), pod]);
  }
  const spec: Partial<PodSpec> = set.spec.template.spec ?? {};
  const tolerations = [...(spec.tolerations ?? []), ...daemonTolerations(spec, identifiers)];
  const present = nodes.map((node): NodePods => {
    const { name } = node.metadata;
    const selected = matchesNode(spec, node) && (!spec.nodeName || spec.nodeName === name);
    const mayStay = selected && untolerated(tolerations, node.spec?.taints, ['NoExecute']).length === 0;
    const wanted = mayStay && untolerated(tolerations, node.spec?.taints, ['NoSchedule']).length === 0;
    const found = byName.get(name) ?? [];
    byName.delete(name);
    return { name, wanted, mayStay, pods: found };
  });
  // Pods of nodes that are gone.
  const lost = [...byName].map(([name, of]): NodePods => ({ name, wanted: false, mayStay: false, pods: of }));
  return [...present, ...lost];
}

/** All pods of a node that is not selected; all but the oldest of each revision elsewhere. */
function surplusOf({ hash }: DaemonState, { mayStay, pods }: NodePods): readonly Pod[] {
  if (!mayStay) return pods;
  const running = pods.filter((pod) => !hasEnded(pod));
  if (running.length < 2) return [];
  const byAge = running.toSorted((a, b) => a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp));
  const [fresh, old] = [true, false].map((is) => byAge.filter((pod) => isNew(pod, hash) === is));
  return [...(fresh?.slice(1) ?? []), ...(old?.slice(1) ?? [])];
}

/** Replaces pods of earlier revisions within the limits of the strategy. */
function updateOf(state: DaemonState, nodes: readonly NodePods[]) {
  const { set, hash } = state;
  const { type, rollingUpdate = {} } = set.spec.updateStrategy ?? {};
  if (type === 'OnDelete') return nothing;
  const wanted = nodes.filter((node) => node.wanted);
  const surge = resolveCount(rollingUpdate.maxSurge ?? 0, wanted.length, Math.ceil);
  const available = (pod: Pod): boolean => isUp(state, pod);
  const outdated = wanted.filter(({ pods }) => pods.every((pod) => !isNew(pod, hash)));
  const replaced = wanted.filter(({ pods }) => pods.some((pod) => isNew(pod, hash)));
  if (surge > 0) {
    const done = replaced.filter(({ pods }) => pods.some((pod) => isNew(pod, hash) && available(pod)));
    const deletions = done.flatMap(({ pods }) => pods.filter((pod) => !isNew(pod, hash))).filter(isPresent);
    const surging = replaced.filter(({ pods }) => pods.length > 1).length;
    const broken = outdated.filter(({ pods }) => !pods.some(available));
    const working = outdated.filter(({ pods }) => pods.some(available)).slice(0, Math.max(0, surge - surging));
    return { creations: [...broken, ...working].map(({ name }) => name), deletions };
  }
  const limit = Math.max(1, resolveCount(rollingUpdate.maxUnavailable ?? 1, wanted.length, Math.ceil));
  const down = wanted.filter(({ pods }) => !pods.some(available));
  const broken = outdated.filter(({ pods }) => !pods.some(available));
  const working = outdated.filter(({ pods }) => pods.some(available)).slice(0, Math.max(0, limit - down.length));
  return { creations: [], deletions: [...broken, ...working].flatMap(({ pods }) => pods).filter(isPresent) };
}

function statusOf(state: DaemonState, nodes: readonly NodePods[]): DaemonSetStatus {
  const { set, hash } = state;
  const wanted = nodes.filter((node) => node.wanted);
  const count = (matches: (pod: Pod) => boolean): number => wanted.filter(({ pods }) => pods.some(matches)).length;
  const available = count((pod) => isUp(state, pod));
  return {
    currentNumberScheduled: count(() => true),
    numberMisscheduled: nodes.filter((node) => !node.wanted && node.pods.length > 0).length,
    desiredNumberScheduled: wanted.length,
    numberReady: count(isReady),
    observedGeneration: set.metadata.generation,
    updatedNumberScheduled: count((pod) => isNew(pod, hash)),
    numberAvailable: available,
    numberUnavailable: wanted.length - available,
    collisionCount: set.status?.collisionCount,
    conditions: set.status?.conditions,
  };
}

function isNew({ metadata }: Pod, hash: string): boolean {
  return metadata.labels?.[revisionLabel] === hash;
}

function isUp({ set, nowMs }: DaemonState, pod: Pod): boolean {
  return isPresent(pod) && isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs);
}

function isPresent({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp === undefined;
}
