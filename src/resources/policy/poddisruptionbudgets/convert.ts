import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import type { Conversion } from '../../../registry/definition/resource-definition.ts';
import { isSet, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { isEmptySelector } from '../../rules/fields/labels.ts';

/**
 * The conversions of budgets (spec 9.3). An empty selector matches no pods in v1beta1 and all pods
 * in v1. Each version represents the other's empty selector as an expression over a label that no
 * pod has.
 */
export const budgetConversions = {
  'policy/v1beta1': {
    toStorage: (budget, identifiers) => swap(budget, identifiers, 'Exists', 'DoesNotExist'),
    fromStorage: (budget, identifiers) => swap(budget, identifiers, 'DoesNotExist', 'Exists'),
  },
} satisfies Readonly<Record<string, Conversion>>;

/**
 * Replaces an empty selector by an expression with `operator`, and an expression with
 * `emptyOperator` by an empty selector. Never mutates.
 */
function swap(budget: JsonObject, identifiers: Identifiers, operator: string, emptyOperator: string): JsonObject {
  const spec = objectAt(budget, 'spec');
  if (!isSet(spec, 'selector')) return budget;
  const selector = objectAt(spec, 'selector');
  const key = `pdb.${identifiers.labelDomain}/deprecated-v1beta1-empty-selector-match`;
  if (isEmptySelector(selector)) {
    return { ...budget, spec: { ...spec, selector: { matchExpressions: [{ key, operator }] } } };
  }
  const [expression, ...others] = objectsAt(selector, 'matchExpressions');
  const meansEmpty =
    expression !== undefined &&
    others.length === 0 &&
    Object.keys(selector).length === 1 &&
    stringAt(expression, 'key') === key &&
    stringAt(expression, 'operator') === emptyOperator;
  return meansEmpty ? { ...budget, spec: { ...spec, selector: {} } } : budget;
}
