import type { CustomResourceDefinition, CustomResourceDefinitionCondition } from '../../gen/stored/apiextensions-v1.ts';
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
export function conditionOf(
  { status }: CustomResourceDefinition,
  type: DefinitionCondition['type'],
): CustomResourceDefinitionCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

/** Reports whether a condition is true. */
export function isConditionTrue(crd: CustomResourceDefinition, type: DefinitionCondition['type']): boolean {
  return conditionOf(crd, type)?.status === 'True';
}

/**
 * The definition with a condition. Its time changes with its status only. Returns the definition
 * itself if it says so already.
 */
export function withCondition(crd: CustomResourceDefinition, condition: DefinitionCondition): CustomResourceDefinition {
  const present = conditionOf(crd, condition.type);
  const { type, status, reason, message } = condition;
  const isSame = present?.status === status;
  if (isSame && present.reason === reason && (present.message ?? '') === message) return crd;
  const lastTransitionTime = isSame ? present.lastTransitionTime : now();
  const next = { type, status, lastTransitionTime, reason, message };
  const conditions = crd.status.conditions ?? [];
  const all = present ? conditions.map((one) => (one === present ? next : one)) : [...conditions, next];
  return { ...crd, status: { ...crd.status, conditions: all } };
}

/** The definition without a condition; the definition itself if it has none. */
export function withoutCondition(
  crd: CustomResourceDefinition,
  type: DefinitionCondition['type'],
): CustomResourceDefinition {
  const present = conditionOf(crd, type);
  if (!present) return crd;
  const conditions = crd.status.conditions?.filter((one) => one !== present) ?? null;
  return { ...crd, status: { ...crd.status, conditions } };
}
