import type { PodDisruptionBudget } from '../../gen/types/policy-v1.ts';
import type { Node, Pod } from '../../controllers/resources.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { matchLabelSelector } from '../../meta/object-label-selector.ts';
import type { ClusterState, PlacedPod } from './cluster-state.ts';
import { nodeObstacles, type ObstacleOptions } from './node-obstacles.ts';
import { priorityOf } from './pod-priority.ts';

/** The pods of a node that have to end so that another fits. */
export interface Victims {
  readonly node: string;
  readonly pods: readonly Pod[];
}

/** Nodes whose victims are compared. */
const comparedNodes = 100;

/**
 * Finds the node where a pod fits after the end of pods of lower priority, with the least harm: the
 * fewest budgets broken, then the lowest priorities, then the fewest pods. Undefined if there is
 * none.
 */
export function findVictims(
  pod: Pod,
  candidates: readonly Node[],
  budgets: readonly PodDisruptionBudget[],
  state: ClusterState,
  options: ObstacleOptions,
): Victims | undefined {
  let best: (Victims & { readonly harm: readonly number[] }) | undefined;
  let compared = 0;
  for (const node of candidates) {
    if (compared === comparedNodes) break;
    const found = victimsOn(pod, node, budgets, state, options);
    if (!found) continue;
    compared++;
    if (!best || isLess(found.harm, best.harm)) best = found;
  }
  return best;
}

/** True if pods of lower priority end on the nominated node of a pod, so that it has to wait. */
export function awaitsVictims(pod: Pod, state: ClusterState): boolean {
  const name = pod.status?.nominatedNodeName;
  if (!name || !state.node(name)) return false;
  return [...state.useOf(name).pods.values()].some(
    (other) => other.pod.metadata.deletionTimestamp !== undefined && priorityOf(other.pod) < priorityOf(pod),
  );
}

function victimsOn(
  pod: Pod,
  node: Node,
  budgets: readonly PodDisruptionBudget[],
  state: ClusterState,
  options: ObstacleOptions,
): (Victims & { readonly harm: readonly number[] }) | undefined {
  const { name } = node.metadata;
  const lower = [...state.useOf(name).pods.values()].filter((other) => priorityOf(other.pod) < priorityOf(pod));
  if (lower.length === 0) return undefined;
  const fits = (): boolean => !nodeObstacles(pod, state, options)(node);
  for (const other of lower) state.remove(other.pod.metadata.uid);
  if (!fits()) {
    restore(lower, state);
    return undefined;
  }
  const protectedPods = breaking(lower, budgets);
  const victims: PlacedPod[] = [];
  // Those whose end would do the most harm stay if they can.
  for (const other of lower.toSorted((a, b) => byHarm(a, b, protectedPods))) {
    state.place(other.pod, name);
    if (fits()) continue;
    state.remove(other.pod.metadata.uid);
    victims.push(other);
  }
  restore(victims, state);
  const priorities = victims.map((victim) => priorityOf(victim.pod));
  const broken = victims.filter((victim) => protectedPods.has(victim)).length;
  const sum = priorities.reduce((total, each) => total + each, 0);
  const harm = [broken, Math.max(...priorities), sum, victims.length];
  return { node: name, pods: victims.map((victim) => victim.pod), harm };
}

function restore(pods: readonly PlacedPod[], state: ClusterState): void {
  for (const { pod, node } of pods) state.place(pod, node);
}

function byHarm(a: PlacedPod, b: PlacedPod, protectedPods: ReadonlySet<PlacedPod>): number {
  const broken = Number(protectedPods.has(b)) - Number(protectedPods.has(a));
  return broken || priorityOf(b.pod) - priorityOf(a.pod) || (startOf(a) < startOf(b) ? -1 : 1);
}

function startOf({ pod }: PlacedPod): string {
  return pod.status?.startTime ?? '';
}

/** The pods whose end would violate a budget, if pods of higher priority end first. */
function breaking(pods: readonly PlacedPod[], budgets: readonly PodDisruptionBudget[]): ReadonlySet<PlacedPod> {
  const open = budgets.map(({ metadata, spec, status }) => ({
    namespace: metadata?.namespace,
    // A LabelSelector is plain JSON; its interface only lacks an index signature.
    matches: matchLabelSelector(spec?.selector as JsonObject | undefined),
    counted: new Set(Object.keys(status?.disruptedPods ?? {})),
    left: status?.disruptionsAllowed ?? 0,
  }));
  const found = new Set<PlacedPod>();
  for (const placed of pods.toSorted((a, b) => priorityOf(b.pod) - priorityOf(a.pod))) {
    const { namespace, name, labels = {} } = placed.pod.metadata;
    for (const budget of open) {
      if (budget.namespace !== namespace || budget.counted.has(name) || !budget.matches(labels)) continue;
      if (--budget.left < 0) found.add(placed);
    }
  }
  return found;
}

function isLess(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
}
