import type { Affinity, NodeAffinity, NodeSelectorTerm, PodSpec } from '../../../gen/stored/core-v1.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';

const hard = 'requiredDuringSchedulingIgnoredDuringExecution';
const sameTerm = sameMessage('api.core.v1.NodeSelectorTerm');
const sameAffinity = sameMessage('api.core.v1.NodeAffinity');

/**
 * Checks the node selector and node affinity of a pod with scheduling gates: an update may only
 * narrow the set of nodes.
 */
export function checkDirectives(spec: FieldCursor<PodSpec>, old: PodSpec): void {
  const { nodeSelector = {}, affinity } = spec.value;
  const removed = Object.entries(old.nodeSelector ?? {}).some(([key, value]) => getOwn(nodeSelector, key) !== value);
  if (removed) {
    spec
      .at('nodeSelector')
      .reportInvalid('only additions to spec.nodeSelector are allowed (no mutations or deletions)', nodeSelector);
  }
  if (!sameAffinity(affinity?.nodeAffinity, old.affinity?.nodeAffinity)) {
    checkTerms(spec.at('affinity').at('nodeAffinity'), old.affinity?.nodeAffinity);
  }
}

function checkTerms(affinity: FieldCursor<NodeAffinity | undefined>, old: NodeAffinity | undefined): void {
  const before = old?.[hard]?.nodeSelectorTerms ?? [];
  if (before.length === 0) return;
  const terms = affinity.at(hard).at('nodeSelectorTerms');
  const now = terms.value ?? [];
  if (now.length !== before.length) {
    terms.reportInvalid('no additions/deletions to non-empty NodeSelectorTerms list are allowed', now);
    return;
  }
  for (const [index, term] of [...affinity.at(hard).each('nodeSelectorTerms')].entries()) {
    const then = before[index];
    if (then && !onlyAdds(term.value, then)) {
      term.reportInvalid('only additions are allowed (no mutations or deletions)');
    }
  }
}

/** True if a term begins with all requirements of the old term. An empty term must stay empty. */
function onlyAdds(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = ['matchExpressions', 'matchFields'] as const;
  if (lists.every((list) => !old[list]?.length)) return lists.every((list) => !term[list]?.length);
  const start: NodeSelectorTerm = {};
  for (const list of lists) {
    if (old[list]?.length) start[list] = (term[list] ?? []).slice(0, old[list].length);
  }
  return sameTerm(start, old);
}

/** The spec with the node selector and node affinity of the old spec. */
export function withDirectivesOf(spec: Partial<PodSpec>, old: PodSpec): Partial<PodSpec> {
  const { nodeSelector: _selector, affinity, ...rest } = spec;
  const kept = affinityWith(affinity, old.affinity);
  return {
    ...rest,
    ...(old.nodeSelector ? { nodeSelector: old.nodeSelector } : {}),
    ...(kept ? { affinity: kept } : {}),
  };
}

function affinityWith(affinity: Affinity | undefined, old: Affinity | undefined): Affinity | undefined {
  const nodeAffinity = old?.nodeAffinity;
  if (!affinity) return nodeAffinity ? { nodeAffinity } : undefined;
  const { nodeAffinity: _written, ...others } = affinity;
  if (!old && Object.keys(others).length === 0) return undefined;
  return nodeAffinity ? { ...others, nodeAffinity } : others;
}
