/** The fields that conditions of all kinds have. */
interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string | null;
}

/** The condition of a type, if there is one. */
export function conditionOf<C extends { type: string }>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/**
 * The conditions with one of them set. One with the same status and reason is kept as it is; one
 * with the same status keeps the time of its last transition.
 */
export function withCondition<C extends Condition>(conditions: readonly C[] | undefined, condition: C): C[] {
  const current = conditionOf(conditions, condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) return [...(conditions ?? [])];
  const { lastTransitionTime } = current?.status === condition.status ? current : condition;
  return [...withoutCondition(conditions, condition.type), { ...condition, lastTransitionTime }];
}

/** The conditions, except the conditions of a type. */
export function withoutCondition<C extends { type: string }>(conditions: readonly C[] | undefined, type: string): C[] {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}
