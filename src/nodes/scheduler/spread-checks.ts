import type { TopologySpreadConstraint } from '../../gen/types/core-v1.ts';
import type { Node, Pod } from '../../controllers/resources.ts';
import { matchesNode } from '../../kinds/core/node-selector.ts';
import { untolerated } from '../../kinds/core/tolerates.ts';
import type { ClusterState } from './cluster-state.ts';
import type { NodeCheck } from './node-check.ts';
import { spreadTerm } from './pod-term.ts';

const mismatch = "node(s) didn't match pod topology spread constraints";

/** The constraints of a pod that have this effect. */
export function spreadConstraints({ spec }: Pod, whenUnsatisfiable: string): readonly TopologySpreadConstraint[] {
  return (spec.topologySpreadConstraints ?? []).filter((each) => each.whenUnsatisfiable === whenUnsatisfiable);
}

/** The checks of the constraints that a pod requires, one for each. */
export function spreadChecks(pod: Pod, state: ClusterState): readonly NodeCheck[] {
  const constraints = spreadConstraints(pod, 'DoNotSchedule');
  const keys = constraints.map(({ topologyKey }) => topologyKey);
  return constraints.map((constraint) => spreadCheck(pod, constraint, keys, state));
}

function spreadCheck(
  pod: Pod,
  constraint: TopologySpreadConstraint,
  keys: readonly string[],
  state: ClusterState,
): NodeCheck {
  const { maxSkew, topologyKey, minDomains = 1 } = constraint;
  const counts = podsByDomain(pod, constraint, keys, state);
  const least = counts.size < minDomains ? 0 : Math.min(...counts.values());
  const own = spreadTerm(constraint, pod).matches(pod) ? 1 : 0;
  return ({ metadata }) => {
    const domain = metadata.labels?.[topologyKey];
    if (domain === undefined) return { reasons: [`${mismatch} (missing required label)`], removable: false };
    const skew = (counts.get(domain) ?? 0) + own - least;
    return skew > maxSkew ? { reasons: [mismatch], removable: true } : undefined;
  };
}

/**
 * The numbers of selected pods in the domains of the nodes that count for a constraint: those with
 * all labels of the constraints, and by default only those that the pod's node affinity allows.
 */
export function podsByDomain(
  pod: Pod,
  constraint: TopologySpreadConstraint,
  keys: readonly string[],
  state: ClusterState,
): ReadonlyMap<string, number> {
  const byNode = state.countsOf(spreadTerm(constraint, pod));
  const counts = new Map<string, number>();
  for (const node of state.nodes) {
    const { labels = {}, name } = node.metadata;
    if (!keys.every((key) => labels[key] !== undefined) || !isIncluded(pod, constraint, node)) continue;
    const domain = labels[constraint.topologyKey] ?? '';
    counts.set(domain, (counts.get(domain) ?? 0) + (byNode.get(name) ?? 0));
  }
  return counts;
}

function isIncluded({ spec }: Pod, constraint: TopologySpreadConstraint, node: Node): boolean {
  const { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' } = constraint;
  if (nodeAffinityPolicy === 'Honor' && !matchesNode(spec, node)) return false;
  if (nodeTaintsPolicy !== 'Honor') return true;
  return untolerated(spec.tolerations, node.spec?.taints, ['NoSchedule', 'NoExecute']).length === 0;
}
