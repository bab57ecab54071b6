import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from '../../../gen/stored/autoscaling-v2.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { isMoreThan } from '../../rules/fields/field-checks.ts';
import type { FieldError } from '../../../status/field-error.ts';

/** Maximum stabilization window and maximum period of a policy, in seconds. */
const limits = { windowSeconds: 3600, periodSeconds: 1800 };

const directions = ['scaleUp', 'scaleDown'] as const;

/**
 * The default behavior. Up: within 15 seconds double the pods or add four, whichever is more. Down:
 * within 15 seconds remove any number.
 */
const usual: Required<HorizontalPodAutoscalerBehavior> = {
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
export function defaultBehavior(behavior: HorizontalPodAutoscalerBehavior): void {
  for (const direction of directions) {
    behavior[direction] = { ...structuredClone(usual[direction]), ...behavior[direction] };
  }
}

/** Splits the tolerances, which only v2 has, from a behavior. Undefined if there are none. */
export function splitTolerances(
  behavior: HorizontalPodAutoscalerBehavior,
): Readonly<Record<'tolerances' | 'rest', HorizontalPodAutoscalerBehavior>> | undefined {
  const tolerances: HorizontalPodAutoscalerBehavior = {};
  const rest = { ...behavior };
  for (const direction of directions) {
    const { tolerance, ...rules } = behavior[direction] ?? {};
    if (tolerance === undefined) continue;
    tolerances[direction] = { tolerance };
    rest[direction] = rules;
  }
  return Object.keys(tolerances).length > 0 ? { tolerances, rest } : undefined;
}

/** Puts tolerances back into a behavior. */
export function joinTolerances(
  behavior: HorizontalPodAutoscalerBehavior | undefined,
  tolerances: HorizontalPodAutoscalerBehavior,
): HorizontalPodAutoscalerBehavior {
  const joined = { ...behavior };
  for (const direction of directions) {
    const { tolerance } = tolerances[direction] ?? {};
    if (tolerance !== undefined) joined[direction] = { ...behavior?.[direction], tolerance };
  }
  return joined;
}

/**
 * A behavior in the form of the annotation: the field names and the order of kube-apiserver's
 * internal type.
 */
export function shownBehavior({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): JsonObject {
  return { ScaleUp: shownRules(scaleUp), ScaleDown: shownRules(scaleDown) };
}

function shownRules(rules: HPAScalingRules | undefined): JsonValue {
  if (!rules) return null;
  const { stabilizationWindowSeconds = null, selectPolicy = null, policies, tolerance } = rules;
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds,
    SelectPolicy: selectPolicy,
    Policies:
      policies?.map(({ type, value, periodSeconds }) => ({ Type: type, Value: value, PeriodSeconds: periodSeconds })) ??
      null,
    ...(tolerance === undefined ? {} : { Tolerance: tolerance }),
  };
}

/**
 * Reads a behavior from an annotation, whose names may begin with upper or lower case. Undefined if
 * there is none. Only the names are checked: the caller decodes the result.
 */
export function readBehavior(kept: JsonValue | undefined): HorizontalPodAutoscalerBehavior | undefined {
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

/** The errors of the rules of both directions that their schema does not report. */
export function checkBehavior(field: string, behavior: HorizontalPodAutoscalerBehavior): readonly FieldError[] {
  const cursor = new FieldCursor(behavior, field);
  for (const direction of directions) {
    const rules = cursor.at(direction);
    if (rules.isPresent()) checkRules(rules);
  }
  return cursor.errors;
}

function checkRules(rules: FieldCursor<HPAScalingRules>): void {
  const tolerance = rules.at('tolerance');
  if (isMoreThan('0', tolerance.value ?? '0')) tolerance.reportInvalid('must be greater than or equal to 0');
  const window = rules.at('stabilizationWindowSeconds');
  if ((window.value ?? 0) < 0) window.reportInvalid('must be greater than or equal to zero');
  checkMaximum(window, limits.windowSeconds);
  if (!rules.value.policies?.length) rules.at('policies').reportRequired('must specify at least one Policy');
  for (const policy of rules.each('policies')) {
    const period = policy.at('periodSeconds');
    if (period.value <= 0) period.reportInvalid('must be greater than zero');
    checkMaximum(period, limits.periodSeconds);
  }
}

function checkMaximum(seconds: FieldCursor<number | undefined>, most: number): void {
  if ((seconds.value ?? 0) > most) seconds.reportInvalid(`must be less than or equal to ${most}`);
}
