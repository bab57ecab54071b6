import type { Deployment } from '../resources.ts';
import { resolveCount } from '../../kinds/meta/parse-percent.ts';

/** The pods beyond the desired number, and the missing ones, that a rolling update may have. */
interface RollingLimits {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** Resolves percentages. One of the limits is at least 1, or the update would not proceed. */
function rollingLimits({ spec }: Deployment): RollingLimits {
  const { maxSurge = 0, maxUnavailable = 0 } = spec.strategy?.rollingUpdate ?? {};
  const total = spec.replicas ?? 1;
  const surge = resolveCount(maxSurge, total, Math.ceil);
  const unavailable = resolveCount(maxUnavailable, total, Math.floor);
  return { maxSurge: surge, maxUnavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** The number of pods that a rolling update may have beyond the desired number. */
export function maxSurgeOf(deployment: Deployment): number {
  return isRolling(deployment) ? rollingLimits(deployment).maxSurge : 0;
}

/** The number of pods that may be unavailable during a rolling update. */
export function maxUnavailableOf(deployment: Deployment): number {
  const total = deployment.spec.replicas ?? 1;
  return isRolling(deployment) && total > 0 ? Math.min(rollingLimits(deployment).maxUnavailable, total) : 0;
}

/** True if the strategy of a Deployment is the rolling update. */
export function isRolling({ spec }: Deployment): boolean {
  return spec.strategy?.type !== 'Recreate';
}
