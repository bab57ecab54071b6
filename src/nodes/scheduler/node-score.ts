import type { Node, Pod } from '../../controllers/resources.ts';
import { matchesTerm } from '../../kinds/core/node-selector.ts';
import { untolerated } from '../../kinds/core/tolerates.ts';
import { domainsOf } from './affinity-checks.ts';
import type { ClusterState } from './cluster-state.ts';
import { offerOf } from './node-obstacles.ts';
import { affinityTerm } from './pod-term.ts';
import { podsByDomain, spreadConstraints } from './spread-checks.ts';

/**
 * Scores the nodes that a pod fits on: its preferences first; the share of free resources, below 1,
 * decides between equal nodes. Preferences of the pods that are there do not count.
 */
export function nodeScore(pod: Pod, state: ClusterState): (node: Node) => number {
  const { spec } = pod;
  const preferred = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const domains = [...affinityWeights(pod, state), ...spreadWeights(pod, state)];
  return (node) => {
    const wanted = preferred.filter(({ preference }) => matchesTerm(preference, node));
    const avoided = untolerated(spec.tolerations, node.spec?.taints, ['PreferNoSchedule']).length;
    const byDomain = domains.reduce(
      (sum, { topologyKey, weights }) => sum + (weights.get(node.metadata.labels?.[topologyKey] ?? '') ?? 0),
      0,
    );
    return wanted.reduce((sum, { weight }) => sum + weight, 0) + byDomain - 100 * avoided + roomOf(node, state);
  };
}

function roomOf(node: Node, state: ClusterState): number {
  const total = offerOf(node);
  const { used } = state.useOf(node.metadata.name);
  const names = ['cpu', 'memory', 'pods'];
  const shares = names.map((name) => ((total[name] ?? 0) - (used[name] ?? 0)) / (total[name] || 1));
  return shares.reduce((sum, share) => sum + share, 0) / (names.length + 1);
}

/** Points of the nodes with a value of a label. */
interface DomainWeights {
  readonly topologyKey: string;
  readonly weights: ReadonlyMap<string, number>;
}

function affinityWeights(pod: Pod, state: ClusterState): readonly DomainWeights[] {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
  const signed = [
    ...(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((each) => ({ ...each, sign: 1 })),
    ...(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((each) => ({ ...each, sign: -1 })),
  ];
  return signed.map(({ podAffinityTerm, weight, sign }) => {
    const { topologyKey } = podAffinityTerm;
    const term = affinityTerm(podAffinityTerm, pod, state.namespaceLabels);
    const counts = domainsOf(state.countsOf(term), topologyKey, state);
    const most = Math.max(1, ...counts.values());
    return { topologyKey, weights: scaled(counts, (sign * weight) / most) };
  });
}

/** The fuller a domain is, the fewer points it has. */
function spreadWeights(pod: Pod, state: ClusterState): readonly DomainWeights[] {
  const soft = spreadConstraints(pod, 'ScheduleAnyway');
  return soft.map((constraint) => {
    const { topologyKey } = constraint;
    const counts = podsByDomain(pod, constraint, [topologyKey], state);
    return { topologyKey, weights: scaled(counts, -100 / Math.max(1, ...counts.values())) };
  });
}

function scaled(counts: ReadonlyMap<string, number>, factor: number): ReadonlyMap<string, number> {
  return new Map([...counts].map(([domain, count]) => [domain, count * factor]));
}
