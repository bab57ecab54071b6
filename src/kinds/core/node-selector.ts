import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '../../gen/types/core-v1.ts';

/** True if a node has the labels and the affinity that a pod requires. */
export function matchesNode({ nodeSelector = {}, affinity }: Partial<PodSpec>, node: Node): boolean {
  const labels = node.metadata?.labels ?? {};
  if (!Object.entries(nodeSelector).every(([name, value]) => labels[name] === value)) return false;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return !required || (required.nodeSelectorTerms ?? []).some((term) => matchesTerm(term, node));
}

/** True if a node fulfils a term. An empty one matches nothing. */
export function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const labels = node.metadata?.labels ?? {};
  const fields: Record<string, string | undefined> = { 'metadata.name': node.metadata?.name };
  return (
    matchExpressions.every((requirement) => matches(requirement, labels[requirement.key])) &&
    matchFields.every((requirement) => matches(requirement, fields[requirement.key]))
  );
}

const operators: Readonly<Record<string, (value: string | undefined, values: readonly string[]) => boolean>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
  Gt: (value, [limit]) => areIntegers(value, limit) && integerOf(value) > integerOf(limit),
  Lt: (value, [limit]) => areIntegers(value, limit) && integerOf(value) < integerOf(limit),
};

/** True for the texts of integers of 64 bits. */
function areIntegers(...texts: readonly (string | undefined)[]): boolean {
  return texts.every((text = '') => /^[+-]?\d{1,19}$/.test(text));
}

function integerOf(text = '0'): bigint {
  return BigInt(text.replace(/^\+/, ''));
}

function matches({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  return operators[operator]?.(value, values) ?? false;
}
