import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from '../../gen/types/autoscaling-v2.ts';
import { countAtStart, type ScalingHistory, withRecommendation } from './scaling-history.ts';

/** A wanted number of pods and its bounds. */
interface WantedScale {
  readonly current: number;
  readonly desired: number;
  readonly min: number;
  readonly max: number;
  readonly behavior: HorizontalPodAutoscalerBehavior | undefined;
  /** The window of scaling down, unless the behavior has one. */
  readonly downscaleWindowMs: number;
  readonly nowMs: number;
}

/** The reason and the message of a condition. */
interface Explanation {
  readonly reason: string;
  readonly message: string;
}

/** A number of pods within all limits, and why it is that. */
interface LimitedScale {
  readonly replicas: number;
  /** The history with this recommendation. */
  readonly history: ScalingHistory;
  readonly stabilized: Explanation;
  readonly limited: Explanation & { readonly isLimited: boolean };
}

const asRecommended: Explanation = { reason: 'ReadyForNewScale', message: 'recommended size matches current size' };

/** Limits a wanted number of pods by the recent ones, and by how fast it may change. */
export function limitScaling(wanted: WantedScale, history: ScalingHistory): LimitedScale {
  const { behavior, desired, nowMs } = wanted;
  const downMs = secondsOr(behavior?.scaleDown, wanted.downscaleWindowMs);
  const upMs = secondsOr(behavior?.scaleUp, 0);
  const stable = stabilize(wanted, history, { upMs, downMs });
  const limit = behavior ? limitOfRules({ ...wanted, desired: stable }, behavior, history) : plainLimit(wanted, stable);
  const isLimited = limit !== undefined && limit.replicas !== stable;
  return {
    replicas: isLimited ? limit.replicas : stable,
    history: withRecommendation(history, desired, { windowMs: Math.max(upMs, downMs), nowMs }),
    stabilized: stable === desired ? asRecommended : stabilizedBy(wanted),
    limited: isLimited ? { ...limit.explanation, isLimited } : { ...withinRange, isLimited },
  };
}

function secondsOr(rules: HPAScalingRules | undefined, defaultMs: number): number {
  const seconds = rules?.stabilizationWindowSeconds;
  return seconds === undefined ? defaultMs : seconds * 1000;
}

/**
 * The current number, limited to the range from the least recommendation of the window of scaling
 * up to the greatest one of the window of scaling down. Without a behavior the result is the
 * latter.
 */
function stabilize(
  { behavior, current, desired, nowMs }: WantedScale,
  { recommendations }: ScalingHistory,
  { upMs, downMs }: { readonly upMs: number; readonly downMs: number },
): number {
  const within = (windowMs: number): number[] =>
    recommendations.filter(({ timeMs }) => timeMs > nowMs - windowMs).map(({ replicas }) => replicas);
  const greatest = Math.max(desired, ...within(downMs));
  if (!behavior) return greatest;
  const least = Math.min(desired, ...within(upMs));
  return Math.min(Math.max(current, least), greatest);
}

function stabilizedBy({ behavior, current, desired }: WantedScale): Explanation {
  return behavior && desired >= current
    ? {
        reason: 'ScaleUpStabilized',
        message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
      }
    : {
        reason: 'ScaleDownStabilized',
        message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
      };
}

interface Limit {
  readonly replicas: number;
  readonly explanation: Explanation;
}

const withinRange: Explanation = {
  reason: 'DesiredWithinRange',
  message: 'the desired count is within the acceptable range',
};
const tooMany: Explanation = {
  reason: 'TooManyReplicas',
  message: 'the desired replica count is more than the maximum replica count',
};
const tooFew: Explanation = {
  reason: 'TooFewReplicas',
  message: 'the desired replica count is less than the minimum replica count',
};
const tooFastUp: Explanation = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
};
const tooFastDown: Explanation = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
};

/** Without a behavior the number at most doubles, or becomes four. */
function plainLimit({ current, min, max }: WantedScale, desired: number): Limit | undefined {
  if (desired < min) return { replicas: min, explanation: tooFew };
  const fastest = Math.max(2 * current, 4);
  if (desired <= Math.min(max, fastest)) return undefined;
  return max > fastest ? { replicas: fastest, explanation: tooFastUp } : { replicas: max, explanation: tooMany };
}

/** The bound of the policies and of the autoscaler in the direction of the change. */
function limitOfRules(
  { current, desired, min, max, nowMs }: WantedScale,
  { scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior,
  history: ScalingHistory,
): Limit | undefined {
  const start = (seconds: number): number => countAtStart(history, current, seconds * 1000, nowMs);
  if (desired > current) {
    const fastest = Math.max(
      current,
      chosen(scaleUp, current, (policy) => grown(policy, start(policy.periodSeconds))),
    );
    const limit =
      max > fastest ? { replicas: fastest, explanation: tooFastUp } : { replicas: max, explanation: tooMany };
    return desired > limit.replicas ? limit : undefined;
  }
  if (desired === current) return undefined;
  // For a decrease the change is counted, of which the policy chooses the greatest or the least.
  const change = chosen(scaleDown, 0, (policy) => current - shrunk(policy, start(policy.periodSeconds)));
  const fastest = Math.min(current, current - change);
  const limit =
    min < fastest ? { replicas: fastest, explanation: tooFastDown } : { replicas: min, explanation: tooFew };
  return desired < limit.replicas ? limit : undefined;
}

/** The value of the policy that the rules select; `disabled` if they allow no change. */
function chosen(
  rules: HPAScalingRules | undefined,
  disabled: number,
  valueOf: (policy: HPAScalingPolicy) => number,
): number {
  if (rules?.selectPolicy === 'Disabled') return disabled;
  const values = (rules?.policies ?? []).map(valueOf);
  return rules?.selectPolicy === 'Min' ? Math.min(...values) : Math.max(...values);
}

function grown({ type, value }: HPAScalingPolicy, start: number): number {
  return type === 'Pods' ? start + value : Math.ceil(start * (1 + value / 100));
}

function shrunk({ type, value }: HPAScalingPolicy, start: number): number {
  return type === 'Pods' ? start - value : Math.trunc(start * (1 - value / 100));
}
