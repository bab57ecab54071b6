import { isRolling, maxSurgeOf } from './rolling-limits.ts';
import {
  actualOf,
  allSets,
  availableOf,
  desired,
  desiredBy,
  desiredOf,
  type Rollout,
  type RolloutSet,
  scaleSet,
} from './rollout.ts';

/** True if the size of the Deployment changed since its ReplicaSets were scaled. */
export function isScaled({ deployment, names, ...rollout }: Rollout): boolean {
  return allSets({ deployment, names, ...rollout })
    .filter((set) => desired(set) > 0)
    .some(({ metadata }) => {
      const annotated = metadata.annotations?.[names.desiredReplicas];
      return annotated !== undefined && Number(annotated) !== desiredOf(deployment);
    });
}

/**
 * Follows a new size of the Deployment. One active ReplicaSet gets it; in the middle of a rolling
 * update each gets its share, so that fewer pods are at risk if the new ones do not work.
 */
export function scaleInProportion(rollout: Rollout): void {
  const { deployment, newSet, oldSets } = rollout;
  const only = activeOrLatest(rollout);
  if (only) {
    if (desired(only) !== desiredOf(deployment)) scaleSet(rollout, only, desiredOf(deployment));
  } else if (newSet && isSaturated(rollout, newSet)) {
    for (const set of oldSets.filter((old) => desired(old) > 0)) scaleSet(rollout, set, 0);
  } else if (isRolling(deployment)) {
    share(rollout);
  }
}

/** The only active ReplicaSet; the newest if none is active; undefined if several are. */
function activeOrLatest(rollout: Rollout): RolloutSet | undefined {
  const active = allSets(rollout).filter((set) => desired(set) > 0);
  if (active.length > 1) return undefined;
  return active[0] ?? rollout.newSet ?? rollout.oldSets.at(-1);
}

function isSaturated({ deployment, names }: Rollout, set: RolloutSet): boolean {
  const wanted = desiredOf(deployment);
  const annotated = Number(set.metadata.annotations?.[names.desiredReplicas] ?? Number.NaN);
  return desired(set) === wanted && annotated === wanted && availableOf([set]) === wanted;
}

function share(rollout: Rollout): void {
  const { deployment } = rollout;
  const active = allSets(rollout).filter((set) => desired(set) > 0);
  const wanted = desiredOf(deployment);
  const change = (wanted > 0 ? wanted + maxSurgeOf(deployment) : 0) - desiredBy(active);
  const sets = active.toSorted((a, b) => desired(b) - desired(a) || byAge(a, b) * (change > 0 ? -1 : 1));
  let done = 0;
  const sizes = sets.map((set) => {
    const part = change === 0 ? 0 : partOf(rollout, set, change, change - done);
    done += part;
    return desired(set) + part;
  });
  for (const [index, set] of sets.entries()) {
    const leftover = index === 0 ? change - done : 0;
    scaleSet(rollout, set, Math.max(0, (sizes[index] ?? 0) + leftover));
  }
}

/** The change of one ReplicaSet, not more than the rest. */
function partOf({ deployment, names }: Rollout, set: RolloutSet, change: number, left: number): number {
  if (desired(set) === 0 || left === 0) return 0;
  const wanted = desiredOf(deployment);
  if (wanted === 0) return Math.max(-desired(set), left);
  const total = Number(set.metadata.annotations?.[names.maxReplicas]) || deployment.status?.replicas || actualOf([set]);
  const part = Math.round((desired(set) * (wanted + maxSurgeOf(deployment))) / total) - desired(set);
  return change > 0 ? Math.min(part, left) : Math.max(part, left);
}

function byAge(a: RolloutSet, b: RolloutSet): number {
  return Date.parse(a.metadata.creationTimestamp ?? '') - Date.parse(b.metadata.creationTimestamp ?? '') || 0;
}
