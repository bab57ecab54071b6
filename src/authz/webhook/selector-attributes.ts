import type { JsonObject } from '../../meta/json-value.ts';
import type { LabelOperator } from '../../meta/label-demand.ts';
import type { RequestSelectors } from '../request-selectors.ts';

/** The operators of labels that a review can express; others are left out, which asks for more. */
const labelOperators: Readonly<Partial<Record<LabelOperator, string>>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

/** The selectors of a request as `fieldSelector` and `labelSelector` of a review; absent: none. */
export function selectorAttributes({ fieldSelector = [], labelSelector = [] }: RequestSelectors): JsonObject {
  const fields = fieldSelector.map(({ field: key, operator, value }): JsonObject => {
    return { key, operator: operator === '=' ? 'In' : 'NotIn', values: [value] };
  });
  const labels = labelSelector.flatMap(({ key, operator, values }): JsonObject[] => {
    const name = labelOperators[operator];
    if (name === undefined) return [];
    return [{ key, operator: name, ...(values.length > 0 ? { values: [...values] } : {}) }];
  });
  return {
    ...(fields.length > 0 ? { fieldSelector: { requirements: fields } } : {}),
    ...(labels.length > 0 ? { labelSelector: { requirements: labels } } : {}),
  };
}
