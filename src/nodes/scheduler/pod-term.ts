import type { LabelSelector } from '../../gen/types/meta-v1.ts';
import type { PodAffinityTerm, TopologySpreadConstraint } from '../../gen/types/core-v1.ts';
import type { Pod } from '../../controllers/resources.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { matchLabelSelector } from '../../meta/object-label-selector.ts';

/** The labels of a namespace; undefined if it is unknown. */
export type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>> | undefined;

/** A selection of pods, and the label of nodes by which they are grouped. */
export interface PodTerm {
  /** Equal for terms that select the same pods. */
  readonly key: string;
  readonly topologyKey: string;
  readonly matches: (pod: Pod) => boolean;
}

/** Compiles a term of the affinity or anti-affinity of `owner`. */
export function affinityTerm(term: PodAffinityTerm, owner: Pod, namespaceLabels: NamespaceLabels): PodTerm {
  const { namespaces = [], namespaceSelector, topologyKey, matchLabelKeys, mismatchLabelKeys } = term;
  const isOwn = namespaces.length === 0 && !namespaceSelector;
  const names = isOwn ? [owner.metadata.namespace ?? ''] : namespaces;
  const selector = withKeys(
    withKeys(term.labelSelector, 'In', matchLabelKeys, owner),
    'NotIn',
    mismatchLabelKeys,
    owner,
  );
  const matchesLabels = predicateOf(selector);
  const matchesNamespace = predicateOf(namespaceSelector);
  const isSelected = (namespace: string): boolean =>
    names.includes(namespace) ||
    (namespaceSelector !== undefined && matchesNamespace(namespaceLabels(namespace) ?? {}));
  return {
    key: JSON.stringify([names, namespaceSelector, selector]),
    topologyKey,
    matches: ({ metadata }) => isSelected(metadata.namespace ?? '') && matchesLabels(metadata.labels ?? {}),
  };
}

/** Compiles the selection of a spread constraint. Pods that are being deleted do not count. */
export function spreadTerm(constraint: TopologySpreadConstraint, owner: Pod): PodTerm {
  const { namespace } = owner.metadata;
  const selector = withKeys(constraint.labelSelector, 'In', constraint.matchLabelKeys, owner);
  const matchesLabels = predicateOf(selector);
  return {
    key: JSON.stringify(['spread', namespace, selector]),
    topologyKey: constraint.topologyKey,
    matches: ({ metadata }) =>
      metadata.namespace === namespace &&
      metadata.deletionTimestamp === undefined &&
      matchesLabels(metadata.labels ?? {}),
  };
}

/** Joins terms: a pod has to match all of them. Their labels of nodes are kept by the caller. */
export function allOf(terms: readonly PodTerm[]): PodTerm {
  return {
    key: JSON.stringify(terms.map(({ key }) => key)),
    topologyKey: '',
    matches: (pod) => terms.every((term) => term.matches(pod)),
  };
}

/** Adds requirements of the labels that the owner has. An absent selector still matches nothing. */
function withKeys(
  selector: LabelSelector | undefined,
  operator: 'In' | 'NotIn',
  keys: readonly string[] | undefined,
  { metadata: { labels = {} } }: Pod,
): LabelSelector | undefined {
  const present = (keys ?? []).filter((key) => Object.hasOwn(labels, key));
  if (!selector || present.length === 0) return selector;
  const added = present.map((key) => ({ key, operator, values: [labels[key] ?? ''] }));
  return { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...added] };
}

function predicateOf(selector: LabelSelector | undefined): ReturnType<typeof matchLabelSelector> {
  // A LabelSelector is plain JSON; its interface only lacks an index signature.
  return matchLabelSelector(selector as JsonObject | undefined);
}
