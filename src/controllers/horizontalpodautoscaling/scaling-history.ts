/** A number of pods that the metrics asked for, before it was limited. */
interface PastRecommendation {
  readonly replicas: number;
  readonly timeMs: number;
}

/** A change of the number of pods; positive, in either direction. */
interface PastChange {
  readonly change: number;
  readonly timeMs: number;
}

/** The memory of an autoscaler. A new leader begins without it, as upstream. */
export interface ScalingHistory {
  readonly recommendations: readonly PastRecommendation[];
  readonly added: readonly PastChange[];
  readonly removed: readonly PastChange[];
}

/** The history of an autoscaler that is first seen with a number of pods. */
export function newHistory(replicas: number, nowMs: number): ScalingHistory {
  return { recommendations: [{ replicas, timeMs: nowMs }], added: [], removed: [] };
}

/** The history with a recommendation, without those that are older than `windowMs`. */
export function withRecommendation(
  history: ScalingHistory,
  replicas: number,
  { windowMs, nowMs }: { readonly windowMs: number; readonly nowMs: number },
): ScalingHistory {
  const kept = history.recommendations.filter(({ timeMs }) => timeMs > nowMs - windowMs);
  return { ...history, recommendations: [...kept, { replicas, timeMs: nowMs }] };
}

/** Changes are remembered for the longest period of a policy. */
const longestPeriodMs = 1_800_000;

/** The history with a change of the number of pods. */
export function withChange(history: ScalingHistory, before: number, after: number, nowMs: number): ScalingHistory {
  const change = { change: Math.abs(after - before), timeMs: nowMs };
  const recent = (changes: readonly PastChange[]) => changes.filter(({ timeMs }) => timeMs > nowMs - longestPeriodMs);
  return after > before
    ? { ...history, added: [...recent(history.added), change] }
    : { ...history, removed: [...recent(history.removed), change] };
}

/** The pods that were there at the start of a period. */
export function countAtStart(history: ScalingHistory, current: number, periodMs: number, nowMs: number): number {
  const total = (changes: readonly PastChange[]): number =>
    changes.filter(({ timeMs }) => timeMs > nowMs - periodMs).reduce((sum, { change }) => sum + change, 0);
  return current - total(history.added) + total(history.removed);
}
