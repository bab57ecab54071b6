import { validateLabelValue, validateQualifiedName } from './validate-name.ts';

/** How the value of a label is compared. */
export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | '>' | '<';

/** One condition of a label selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Without repeats; one value for `=`, `==`, `!=`, `>`, `<`, none for `exists` and `!`. */
  readonly values: readonly string[];
}

/** Labels of an object: as they stand in it (only own properties are read), or as a cache indexes them. */
export type Labels = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

const orderOperators: ReadonlySet<LabelOperator> = new Set(['>', '<']);

/** An integer of 64 bits as Go reads it, or undefined. */
function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]{1,40}$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** What is wrong with a requirement, as one sentence, or undefined. */
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

/** A label's value, or undefined where the object does not have the label itself. */
function labelOf(labels: Labels, key: string): string | undefined {
  if (isIndexed(labels)) return labels.get(key);
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function compiledOrder(values: readonly string[], holds: (label: bigint, bound: bigint) => boolean) {
  const bound = parseInt64(values[0] ?? '');
  return (value: string | undefined): boolean => {
    const label = value === undefined ? undefined : parseInt64(value);
    return label !== undefined && bound !== undefined && holds(label, bound);
  };
}

type Compile = (values: readonly string[]) => (value: string | undefined) => boolean;

const isOneOf: Compile = (values) => {
  const set = new Set(values);
  return (value) => value !== undefined && set.has(value);
};

/** An object without the label differs from every value. */
const isNoneOf: Compile = (values) => {
  const set = new Set(values);
  return (value) => value === undefined || !set.has(value);
};

const compilers: Readonly<Record<LabelOperator, Compile>> = {
  in: isOneOf,
  '=': isOneOf,
  '==': isOneOf,
  notin: isNoneOf,
  '!=': isNoneOf,
  exists: () => (value) => value !== undefined,
  '!': () => (value) => value === undefined,
  '>': (values) => compiledOrder(values, (label, bound) => label > bound),
  '<': (values) => compiledOrder(values, (label, bound) => label < bound),
};

/** Compiles requirements to a predicate over labels; all must hold, and none hold for all. */
export function matchRequirements(requirements: readonly LabelRequirement[]): (labels: Labels) => boolean {
  const checks = requirements.map(({ key, operator, values }) => ({ key, holds: compilers[operator](values) }));
  return (labels) => checks.every(({ key, holds }) => holds(labelOf(labels, key)));
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  if (operator === 'exists') return key;
  if (operator === '!') return `!${key}`;
  if (operator === 'in' || operator === 'notin') return `${key} ${operator} (${values.toSorted().join(',')})`;
  return `${key}${operator}${values[0] ?? ''}`;
}

/** Writes requirements in the grammar of label selectors. */
export function formatLabelSelector(requirements: readonly LabelRequirement[]): string {
  return requirements.map(formatRequirement).join(',');
}
