import type { Node, Pod } from '../../controllers/resources.ts';
import type { ClusterState, CountsByNode } from './cluster-state.ts';
import type { NodeCheck } from './node-check.ts';
import { affinityTerm, allOf, type PodTerm } from './pod-term.ts';

/** The checks of the affinity that a pod requires, and of the anti-affinity of it and of others. */
export function affinityChecks(pod: Pod, state: ClusterState): readonly NodeCheck[] {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
  const compile = (terms: typeof required): PodTerm[] =>
    (terms ?? []).map((term) => affinityTerm(term, pod, state.namespaceLabels));
  const required = podAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return [
    attraction(pod, compile(required), state),
    repulsion(compile(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution), state),
    repulsionOfOthers(pod, state),
  ];
}

/** The values of a label of the nodes that have pods. */
export function domainsOf(byNode: CountsByNode, topologyKey: string, state: ClusterState): ReadonlyMap<string, number> {
  const domains = new Map<string, number>();
  for (const [name, count] of byNode) {
    const domain = domainOf(state.node(name), topologyKey);
    if (domain !== undefined) domains.set(domain, (domains.get(domain) ?? 0) + count);
  }
  return domains;
}

function domainOf(node: Node | undefined, topologyKey: string): string | undefined {
  return node?.metadata.labels?.[topologyKey];
}

function attraction(pod: Pod, terms: readonly PodTerm[], state: ClusterState): NodeCheck {
  if (terms.length === 0) return () => undefined;
  const wanted = allOf(terms);
  const byNode = state.countsOf(wanted);
  const allowed = terms.map(({ topologyKey }) => ({ topologyKey, domains: domainsOf(byNode, topologyKey, state) }));
  // The first pod of a group that attracts itself may be anywhere.
  const isFirst = allowed.every(({ domains }) => domains.size === 0) && wanted.matches(pod);
  return (node) => {
    const fits = allowed.every(({ topologyKey, domains }) => {
      const domain = domainOf(node, topologyKey);
      return domain !== undefined && (isFirst || domains.has(domain));
    });
    return fits ? undefined : { reasons: ["node(s) didn't match pod affinity rules"], removable: false };
  };
}

function repulsion(terms: readonly PodTerm[], state: ClusterState): NodeCheck {
  const avoided = terms.map((term) => ({
    topologyKey: term.topologyKey,
    domains: domainsOf(state.countsOf(term), term.topologyKey, state),
  }));
  return avoiding(avoided, "node(s) didn't match pod anti-affinity rules");
}

function repulsionOfOthers(pod: Pod, state: ClusterState): NodeCheck {
  const avoided = [...state.antiAffinity()]
    .filter(({ term }) => term.matches(pod))
    .map(({ term: { topologyKey }, byNode }) => ({ topologyKey, domains: domainsOf(byNode, topologyKey, state) }));
  return avoiding(avoided, "node(s) didn't satisfy existing pods anti-affinity rules");
}

function avoiding(
  avoided: readonly { readonly topologyKey: string; readonly domains: ReadonlyMap<string, number> }[],
  reason: string,
): NodeCheck {
  return (node) => {
    const isAvoided = avoided.some(({ topologyKey, domains }) => domains.has(domainOf(node, topologyKey) ?? ''));
    return isAvoided ? { reasons: [reason], removable: true } : undefined;
  };
}
