import { parseLabelRequirements } from '../../../../meta/label-selector.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';

/**
 * The selector of an object for the text of one: equalities are `matchLabels`, others
 * `matchExpressions`.
 */
export function selectorOf(text: string): JsonObject {
  const labels: [string, string][] = [];
  const expressions: JsonObject[] = [];
  for (const { key, operator, values } of parseLabelRequirements(text)) {
    const [only] = values;
    if ((operator === '=' || operator === '==') && only !== undefined) labels.push([key, only]);
    else expressions.push({ key, operator: operators[operator] ?? operator, ...valuesOf(values) });
  }
  return {
    ...(labels.length > 0 ? { matchLabels: Object.fromEntries(labels) } : {}),
    ...(expressions.length > 0 ? { matchExpressions: expressions } : {}),
  };
}

function valuesOf(values: readonly string[]): JsonObject {
  return values.length > 0 ? { values: [...values] } : {};
}

const operators: Readonly<Record<string, string>> = {
  in: 'In',
  notin: 'NotIn',
  '!=': 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};
