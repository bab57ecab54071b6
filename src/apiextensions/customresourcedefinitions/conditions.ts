import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import { now } from '../../meta/time.ts';

/** A condition of a definition without the time of its last transition. */
export interface DefinitionCondition {
  readonly type:
    | 'NamesAccepted'
    | 'Established'
    | 'NonStructuralSchema'
    | 'Terminating'
    | 'KubernetesAPIApprovalPolicyConformant';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** The condition of a type; undefined if the definition has none. */
export function conditionOf(crd: JsonObject, type: DefinitionCondition['type']): JsonObject | undefined {
  return objectsAt(objectAt(crd, 'status'), 'conditions').find((condition) => stringAt(condition, 'type') === type);
}

/** Reports whether a condition is true. */
export function isConditionTrue(crd: JsonObject, type: DefinitionCondition['type']): boolean {
  const condition = conditionOf(crd, type);
  return condition !== undefined && stringAt(condition, 'status') === 'True';
}

/**
 * The definition with a condition. Its time changes with its status only. Returns the definition
 * itself if it says so already.
 */
export function withCondition(crd: JsonObject, condition: DefinitionCondition): JsonObject {
  const present = conditionOf(crd, condition.type);
  const { type, status, reason, message } = condition;
  if (
    present &&
    (['status', 'reason', 'message'] as const).every((name) => stringAt(present, name) === condition[name])
  ) {
    return crd;
  }
  const since = present && stringAt(present, 'status') === status ? stringAt(present, 'lastTransitionTime') : now();
  const next = { type, status, lastTransitionTime: since, reason, message };
  const conditions = objectsAt(objectAt(crd, 'status'), 'conditions');
  const all = present ? conditions.map((one) => (one === present ? next : one)) : [...conditions, next];
  return { ...crd, status: { ...objectAt(crd, 'status'), conditions: all } };
}

/** The definition without a condition; the definition itself if it has none. */
export function withoutCondition(crd: JsonObject, type: DefinitionCondition['type']): JsonObject {
  const present = conditionOf(crd, type);
  if (!present) return crd;
  const conditions = objectsAt(objectAt(crd, 'status'), 'conditions').filter((one) => one !== present);
  return { ...crd, status: { ...objectAt(crd, 'status'), conditions } };
}
