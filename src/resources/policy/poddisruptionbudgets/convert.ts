import type { LabelSelector } from '../../../gen/stored/meta-v1.ts';
import type { PodDisruptionBudget } from '../../../gen/stored/policy-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { typedConversion } from '../../built-in.ts';
import { isEmptySelector } from '../../rules/fields/labels.ts';

/**
 * The conversion of budgets (spec 9.3). An empty selector matches no pods in v1beta1 and all pods
 * in v1. Each version represents the other's empty selector as an expression over a label that no
 * pod has.
 */
export const budgetConversion = typedConversion<PodDisruptionBudget, PodDisruptionBudget>({
  toStorage: (budget, identifiers) => swap(budget, identifiers, 'Exists', 'DoesNotExist'),
  fromStorage: (budget, identifiers) => swap(budget, identifiers, 'DoesNotExist', 'Exists'),
});

/**
 * Replaces an empty selector by an expression with `operator`, and an expression with
 * `emptyOperator` by an empty selector. Never mutates.
 */
function swap(
  budget: PodDisruptionBudget,
  { labelDomain }: Identifiers,
  operator: string,
  emptyOperator: string,
): PodDisruptionBudget {
  const { selector } = budget.spec;
  if (!selector) return budget;
  const replaced = (other: LabelSelector) => ({ ...budget, spec: { ...budget.spec, selector: other } });
  const key = `pdb.${labelDomain}/deprecated-v1beta1-empty-selector-match`;
  if (isEmptySelector(selector)) return replaced({ matchExpressions: [{ key, operator }] });
  const [expression, ...others] = selector.matchExpressions ?? [];
  const isOnly = others.length === 0 && Object.keys(selector).length === 1;
  return isOnly && expression?.key === key && expression.operator === emptyOperator ? replaced({}) : budget;
}
