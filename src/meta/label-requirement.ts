import { LabelDemand, type LabelOperator, parseInt64 } from './label-demand.ts';
import { validateLabelValue, validateQualifiedName } from './validate-name.ts';

/** One condition of a label selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Distinct values: one for `=`, `==`, `!=`, `>` and `<`, none for `exists` and `!`. */
  readonly values: readonly string[];
}

/** Labels of an object as a record (only own properties are read) or as the cache's map. */
export type Labels = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

const orderOperators: ReadonlySet<LabelOperator> = new Set(['>', '<']);

/** Validates a requirement; returns the error message, or undefined if it is valid. */
export function checkLabelRequirement({ key, operator, values }: LabelRequirement): string | undefined {
  const keyErrors = validateQualifiedName(key);
  if (keyErrors.length > 0) return `invalid label key ${JSON.stringify(key)}: ${keyErrors.join('; ')}`;
  if ((operator === 'in' || operator === 'notin') && values.length === 0) {
    return "for 'in', 'notin' operators, values set can't be empty";
  }
  if (orderOperators.has(operator) && values.some((value) => parseInt64(value) === undefined)) {
    return "for 'Gt', 'Lt' operators, the value must be an integer";
  }
  for (const value of values) {
    const errors = validateLabelValue(value);
    if (errors.length === 0) continue;
    return `invalid label value: ${JSON.stringify(value)}: at key: ${JSON.stringify(key)}: ${errors.join('; ')}`;
  }
  return undefined;
}

function isIndexed(labels: Labels): labels is ReadonlyMap<string, string> {
  return labels instanceof Map;
}

/** The value of a label; undefined if the object does not have it. */
function labelOf(labels: Labels, key: string): string | undefined {
  if (isIndexed(labels)) return labels.get(key);
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

/**
 * Compiles requirements to a predicate over labels: all must hold. Without requirements it is
 * always true. With few required labels a call looks each of them up; with many it visits each
 * label of the object once.
 */
export function matchRequirements(requirements: readonly LabelRequirement[]): (labels: Labels) => boolean {
  const demands = new Map<string, LabelDemand>();
  for (const { key, operator, values } of requirements) {
    const demand = demands.get(key) ?? new LabelDemand();
    demand.add(operator, values);
    demands.set(key, demand);
  }
  if (demands.size > fewDemands) return matchMany(demands);
  const few = [...demands];
  return (labels) => few.every(([key, demand]) => demand.holds(labelOf(labels, key)));
}

/** Up to this many labels are looked up one by one; beyond it the object's labels are scanned. */
const fewDemands = 4;

function matchMany(demands: ReadonlyMap<string, LabelDemand>): (labels: Labels) => boolean {
  const needed = [...demands.values()].filter(({ present }) => present).length;
  return (labels) => {
    let found = 0;
    for (const [key, value] of isIndexed(labels) ? labels : Object.entries(labels)) {
      const demand = demands.get(key);
      if (!demand) continue;
      if (!demand.holds(value)) return false;
      if (demand.present) found++;
    }
    return found === needed;
  };
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  if (operator === 'exists') return key;
  if (operator === '!') return `!${key}`;
  if (operator === 'in' || operator === 'notin') return `${key} ${operator} (${values.toSorted().join(',')})`;
  return `${key}${operator}${values[0] ?? ''}`;
}

/** Formats requirements as a label selector. */
export function formatLabelSelector(requirements: readonly LabelRequirement[]): string {
  return requirements.map(formatRequirement).join(',');
}
