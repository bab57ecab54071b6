import { getOwn, isJsonObject, type JsonObject, type JsonValue } from './json-value.ts';
import type { LabelOperator } from './label-demand.ts';
import {
  checkLabelRequirement,
  formatLabelSelector,
  type LabelRequirement,
  type Labels,
  matchRequirements,
} from './label-requirement.ts';

const operators: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

function textList(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? [...new Set(value.filter((item) => typeof item === 'string'))] : [];
}

function requirementOf(expression: JsonObject): LabelRequirement {
  const name = getOwn(expression, 'operator');
  const key = getOwn(expression, 'key');
  const operator = typeof name === 'string' && Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (!operator) throw new RangeError(`${JSON.stringify(name ?? '')} is not a valid label selector operator`);
  return { key: typeof key === 'string' ? key : '', operator, values: textList(getOwn(expression, 'values')) };
}

/**
 * The requirements of a LabelSelector object (`matchLabels`, `matchExpressions`). Throws
 * `RangeError` for an invalid selector, which validation keeps out of the store.
 */
export function labelSelectorRequirements(selector: JsonObject): readonly LabelRequirement[] {
  const labels = getOwn(selector, 'matchLabels');
  const expressions = getOwn(selector, 'matchExpressions');
  const requirements: LabelRequirement[] = [
    ...Object.entries(isJsonObject(labels) ? labels : {}).map(
      ([key, value]): LabelRequirement => ({ key, operator: 'in', values: textList([value]) }),
    ),
    ...(Array.isArray(expressions) ? expressions.filter(isJsonObject).map(requirementOf) : []),
  ];
  for (const requirement of requirements) {
    const error = checkLabelRequirement(requirement);
    if (error !== undefined) throw new RangeError(error);
  }
  return requirements;
}

/**
 * Compiles a LabelSelector object to a predicate over labels. An absent selector matches nothing,
 * an empty one everything. Throws as `labelSelectorRequirements`.
 */
export function matchLabelSelector(selector: JsonObject | undefined): (labels: Labels) => boolean {
  return selector ? matchRequirements(labelSelectorRequirements(selector)) : () => false;
}

/** The text of a LabelSelector object, as in a query. Throws as `labelSelectorRequirements`. */
export function labelSelectorText(selector: JsonObject): string {
  return formatLabelSelector(labelSelectorRequirements(selector));
}
