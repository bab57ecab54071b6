import type { Node, Pod } from '../../controllers/resources.ts';
import { matchesNode, matchesTerm } from '../../kinds/core/node-selector.ts';
import { tolerates, untolerated } from '../../kinds/core/tolerates.ts';
import { memoize } from '../../meta/memoize.ts';
import { type Amounts, amountsOf, requestsOf } from './pod-requests.ts';

/** The state that a choice depends on. */
interface NodeChoice {
  readonly nodes: readonly Node[];
  /** The resources that are taken of a node. */
  readonly usageOf: (node: string) => Amounts;
  /** The key of the taint that an unschedulable node stands for. */
  readonly unschedulableTaint: string;
}

/** The node of a pod, or a sentence that says why there is none. */
type ChosenNode = { readonly node: string } | { readonly message: string };

/**
 * Chooses the node for a pod among those that have room, labels, affinity and no taint against it:
 * the preferred one, or of equal ones that with the most room.
 */
export function chooseNode(pod: Pod, { nodes, usageOf, unschedulableTaint }: NodeChoice): ChosenNode {
  const requests = requestsOf(pod);
  const reasons = new Map<string, number>();
  let best: { readonly node: string; readonly score: number } | undefined;
  for (const node of nodes) {
    const free = freeOf(node, usageOf(node.metadata.name));
    const found = obstacles(pod, node, requests, free, unschedulableTaint);
    for (const reason of found) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    if (found.length > 0) continue;
    const score = scoreOf(pod, node, free);
    if (!best || score > best.score) best = { node: node.metadata.name, score };
  }
  return best ? { node: best.node } : { message: messageOf(nodes.length, reasons) };
}

function obstacles(
  pod: Pod,
  node: Node,
  requests: Amounts,
  free: Amounts,
  unschedulableTaint: string,
): readonly string[] {
  const { tolerations } = pod.spec;
  const unschedulable = { key: unschedulableTaint, effect: 'NoSchedule' };
  if (node.spec?.unschedulable && !tolerates(tolerations, unschedulable)) return ['node(s) were unschedulable'];
  if (!matchesNode(pod.spec, node)) return ["node(s) didn't match Pod's node affinity"];
  const [taint] = untolerated(tolerations, node.spec?.taints, ['NoSchedule', 'NoExecute']);
  if (taint) return [`node(s) had taint {${taint.key}: ${taint.value ?? ''}}, that the pod didn't tolerate`];
  return Object.entries(requests)
    .filter(([name, amount]) => amount > 0 && amount > (free[name] ?? 0))
    .map(([name]) => (name === 'pods' ? 'Too many pods' : `Insufficient ${name}`));
}

/** The resources of a node, read once for each of its states. */
const offerOf = memoize(({ status }: Node): Amounts => amountsOf(status?.allocatable ?? status?.capacity));

function freeOf(node: Node, used: Amounts): Amounts {
  const free: Record<string, number> = { ...offerOf(node) };
  for (const name in free) free[name] = (free[name] ?? 0) - (used[name] ?? 0);
  return free;
}

/** Preferences first; the share of free resources, below 1, decides between equal nodes. */
function scoreOf({ spec }: Pod, node: Node, free: Amounts): number {
  const preferred = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const wanted = preferred.filter(({ preference }) => matchesTerm(preference, node));
  const avoided = untolerated(spec.tolerations, node.spec?.taints, ['PreferNoSchedule']).length;
  const total = offerOf(node);
  const shares = ['cpu', 'memory', 'pods'].map((name) => (free[name] ?? 0) / (total[name] || 1));
  const room = shares.reduce((sum, share) => sum + share, 0) / (shares.length + 1);
  return wanted.reduce((sum, { weight }) => sum + weight, 0) - 100 * avoided + room;
}

function messageOf(count: number, reasons: ReadonlyMap<string, number>): string {
  if (count === 0) return 'no nodes available to schedule pods';
  const parts = [...reasons].map(([reason, times]) => `${times} ${reason}`).toSorted();
  return `0/${count} nodes are available: ${parts.join(', ')}.`;
}
