import type { LabelSelector } from '../../../gen/stored/meta-v1.ts';
import { getOwn } from '../../../meta/json-value.ts';
import type { LabelOperator } from '../../../meta/label-demand.ts';
import { formatLabelSelector, type LabelRequirement } from '../../../meta/label-requirement.ts';

/** The operators of a LabelSelector, with the operators of the string syntax. */
const operators: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/**
 * The requirements of a LabelSelector (`matchLabels`, `matchExpressions`), ordered by key.
 * Undefined if an operator is unknown.
 */
export function requirementsOf({
  matchLabels = {},
  matchExpressions = [],
}: LabelSelector): readonly LabelRequirement[] | undefined {
  const requirements = equalities(matchLabels);
  for (const { key, operator: name, values = [] } of matchExpressions) {
    const operator = getOwn(operators, name);
    if (!operator) return undefined;
    requirements.push({ key, operator, values });
  }
  return sorted(requirements);
}

/**
 * A LabelSelector in the string syntax of the query parameter `labelSelector`. Empty if an operator
 * is unknown.
 */
export function formatSelector(selector: LabelSelector): string {
  return formatLabelSelector(requirementsOf(selector) ?? []);
}

/** A map of labels in the string syntax of label selectors. */
export function formatLabels(labels: Readonly<Record<string, string>>): string {
  return formatLabelSelector(sorted(equalities(labels)));
}

function equalities(labels: Readonly<Record<string, string>>): LabelRequirement[] {
  return Object.entries(labels).map(([key, value]) => ({ key, operator: '=', values: [value] }));
}

function sorted(requirements: readonly LabelRequirement[]): readonly LabelRequirement[] {
  return requirements.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}
