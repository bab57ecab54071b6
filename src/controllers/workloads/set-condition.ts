import type { Condition } from '../kinds/workload.ts';

/** The condition of a type, if there is one. */
export function conditionOf(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/**
 * The conditions with one of them set. One with the same status and reason is kept as it is; one
 * with the same status keeps the time of its last transition.
 */
export function withCondition(conditions: readonly Condition[] | undefined, condition: Condition): Condition[] {
  const current = conditionOf(conditions, condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) return [...(conditions ?? [])];
  const { lastTransitionTime } = current?.status === condition.status ? current : condition;
  return [...withoutCondition(conditions, condition.type), { ...condition, lastTransitionTime }];
}

/** The conditions without those of a type. */
export function withoutCondition(conditions: readonly Condition[] | undefined, type: string): Condition[] {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}
