import type { JsonObject } from '../../../meta/json-value.ts';
import type { LabelOperator } from '../../../meta/label-demand.ts';
import { formatLabelSelector, type LabelRequirement } from '../../../meta/label-requirement.ts';
import { objectsAt, stringAt, stringEntriesAt, stringsAt } from '../../../meta/read-field.ts';

/** The operators of a LabelSelector, with those of the string syntax. */
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
export function requirementsOf(selector: JsonObject): readonly LabelRequirement[] | undefined {
  const requirements = equalities(stringEntriesAt(selector, 'matchLabels'));
  for (const expression of objectsAt(selector, 'matchExpressions')) {
    const name = stringAt(expression, 'operator');
    const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
    if (!operator) return undefined;
    requirements.push({ key: stringAt(expression, 'key'), operator, values: stringsAt(expression, 'values') });
  }
  return sorted(requirements);
}

/**
 * A LabelSelector in the string syntax of the query parameter `labelSelector`. Empty if an operator
 * is unknown.
 */
export function formatSelector(selector: JsonObject): string {
  return formatLabelSelector(requirementsOf(selector) ?? []);
}

/** A map of labels in the string syntax of label selectors. */
export function formatLabels(labels: JsonObject): string {
  return formatLabelSelector(sorted(equalities(stringEntriesAt({ labels }, 'labels'))));
}

function equalities(labels: readonly (readonly [string, string])[]): LabelRequirement[] {
  return labels.map(([key, value]) => ({ key, operator: '=', values: [value] }));
}

function sorted(requirements: readonly LabelRequirement[]): readonly LabelRequirement[] {
  return requirements.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}
