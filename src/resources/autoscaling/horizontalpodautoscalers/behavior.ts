import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { isSet, makeObjectAt, numberAt, objectAt, objectsAt, setDefault } from '../../../meta/read-field.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkEach } from '../../rules/fields/check.ts';

/** Maximum stabilization window and maximum period of a policy, in seconds. */
const limits = { windowSeconds: 3600, periodSeconds: 1800 };

/**
 * The default behavior. Up: within 15 seconds double the pods or add four, whichever is more. Down:
 * within 15 seconds remove any number.
 */
const usual: Readonly<Record<string, JsonObject>> = {
  scaleUp: {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  },
  scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
};

/** Fills in missing rules of both directions. Mutates. */
export function defaultBehavior(behavior: JsonObject): void {
  for (const [direction, rules] of Object.entries(usual)) {
    const given = makeObjectAt(behavior, direction);
    for (const [name, value] of Object.entries(rules)) setDefault(given, name, structuredClone(value));
  }
}

const directions = ['scaleUp', 'scaleDown'];
const ruleNames = ['stabilizationWindowSeconds', 'selectPolicy', 'policies'];

/**
 * Splits the tolerances, which only v2 has, from a behavior. Undefined if there are none.
 */
export function splitTolerances(
  behavior: JsonObject,
): { readonly tolerances: JsonObject; readonly rest: JsonObject } | undefined {
  const set = directions.filter((direction) => isSet(objectAt(behavior, direction), 'tolerance'));
  if (set.length === 0) return undefined;
  const parts = set.map((direction) => {
    const { tolerance = null, ...rules } = objectAt(behavior, direction);
    return { direction, tolerance, rules };
  });
  return {
    tolerances: Object.fromEntries(parts.map(({ direction, tolerance }) => [direction, { tolerance }])),
    rest: { ...behavior, ...Object.fromEntries(parts.map(({ direction, rules }) => [direction, rules])) },
  };
}

/** Puts tolerances back into a behavior. */
export function joinTolerances(behavior: JsonObject, tolerances: JsonObject): JsonObject {
  const known = directions.filter((direction) => isSet(objectAt(tolerances, direction), 'tolerance'));
  const joined = known.map((direction) => {
    const { tolerance = null } = objectAt(tolerances, direction);
    return [direction, { ...objectAt(behavior, direction), tolerance }] as const;
  });
  return { ...behavior, ...Object.fromEntries(joined) };
}

/**
 * A behavior in the form of the annotation: the field names and the order of kube-apiserver's
 * internal type.
 */
export function shownBehavior(behavior: JsonValue): JsonValue {
  if (!isJsonObject(behavior)) return null;
  return shown(behavior, directions, (rules) =>
    isJsonObject(rules)
      ? shown(rules, isSet(rules, 'tolerance') ? [...ruleNames, 'tolerance'] : ruleNames, (part) =>
          Array.isArray(part) ? part.map(shownPolicy) : part,
        )
      : null,
  );
}

function shownPolicy(policy: JsonValue): JsonValue {
  return isJsonObject(policy) ? shown(policy, ['type', 'value', 'periodSeconds'], (part) => part) : null;
}

function shown(object: JsonObject, names: readonly string[], show: (part: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(
    names.map((name) => [name.charAt(0).toUpperCase() + name.slice(1), show(getOwn(object, name) ?? null)]),
  );
}

/**
 * Reads a behavior from an annotation, whose names may begin with upper or lower case. Undefined if
 * there is none.
 */
export function readBehavior(kept: JsonValue | undefined): JsonObject | undefined {
  const behavior = kept === undefined ? undefined : withLowerNames(kept);
  return isJsonObject(behavior) ? behavior : undefined;
}

function withLowerNames(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withLowerNames);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== null)
      .map(([name, part]) => [name.charAt(0).toLowerCase() + name.slice(1), withLowerNames(part)]),
  );
}

/** Checks the rules of both directions. */
export function checkBehavior(field: string, behavior: JsonObject): FieldError[] {
  return ['scaleUp', 'scaleDown'].flatMap((direction) =>
    isSet(behavior, direction) ? ruleErrors(objectAt(behavior, direction), `${field}.${direction}`) : [],
  );
}

function ruleErrors(rules: JsonObject, path: string): FieldError[] {
  const window = numberAt(rules, 'stabilizationWindowSeconds') ?? 0;
  const policies = objectsAt(rules, 'policies');
  const field = `${path}.stabilizationWindowSeconds`;
  return [
    ...(window < 0 ? [invalid(field, window, 'must be greater than or equal to zero')] : []),
    ...(window > limits.windowSeconds
      ? [invalid(field, window, `must be less than or equal to ${limits.windowSeconds}`)]
      : []),
    ...(policies.length === 0 ? [required(`${path}.policies`, 'must specify at least one Policy')] : []),
    ...checkEach(`${path}.policies`, policies, policyErrors),
  ];
}

function policyErrors(policy: JsonObject, path: string): FieldError[] {
  const period = numberAt(policy, 'periodSeconds') ?? 0;
  return [
    ...['value', 'periodSeconds']
      .filter((name) => (numberAt(policy, name) ?? 0) <= 0)
      .map((name) => invalid(`${path}.${name}`, numberAt(policy, name) ?? 0, 'must be greater than zero')),
    ...(period > limits.periodSeconds
      ? [invalid(`${path}.periodSeconds`, period, `must be less than or equal to ${limits.periodSeconds}`)]
      : []),
  ];
}
