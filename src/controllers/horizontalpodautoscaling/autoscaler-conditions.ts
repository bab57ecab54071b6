import type { HorizontalPodAutoscalerCondition } from '../../gen/types/autoscaling-v2.ts';

/** The conditions of autoscalers. */
type ConditionType = 'AbleToScale' | 'ScalingActive' | 'ScalingLimited';

/** A condition without its time. */
interface ConditionChange {
  readonly type: ConditionType;
  readonly isTrue: boolean;
  readonly reason: string;
  readonly message: string;
}

/** The conditions with one of them set. Its time is that of the last change of its status. */
export function withCondition(
  conditions: readonly HorizontalPodAutoscalerCondition[],
  { type, isTrue, reason, message }: ConditionChange,
  time: string,
): HorizontalPodAutoscalerCondition[] {
  const status = isTrue ? 'True' : 'False';
  const present = conditions.find((each) => each.type === type);
  const lastTransitionTime = present?.status === status ? present.lastTransitionTime : time;
  const condition = { type, status, lastTransitionTime, reason, message };
  return present ? conditions.map((each) => (each === present ? condition : each)) : [...conditions, condition];
}
