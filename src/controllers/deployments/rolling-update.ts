import { maxSurgeOf, maxUnavailableOf } from './rolling-limits.ts';
import {
  allSets,
  availableOf,
  desired,
  desiredBy,
  desiredOf,
  type Rollout,
  type RolloutSet,
  scaleSet,
} from './rollout.ts';

/** One step of a rolling update: grows the new ReplicaSet, or else shrinks the old ones. */
export function stepRollingUpdate(rollout: Rollout): void {
  const { deployment, newSet } = rollout;
  if (!newSet) return;
  const wanted = desiredOf(deployment);
  const size = desired(newSet) > wanted ? wanted : newSetSize(rollout, newSet);
  if (!scaleSet(rollout, newSet, size)) shrinkOldSets(rollout, newSet);
}

/** The size that the new ReplicaSet may have: all sets together have at most the surge. */
export function newSetSize(rollout: Rollout, newSet: RolloutSet): number {
  const { deployment } = rollout;
  const wanted = desiredOf(deployment);
  const room = wanted + maxSurgeOf(deployment) - desiredBy([...rollout.oldSets, newSet]);
  return room <= 0 ? desired(newSet) : desired(newSet) + Math.min(room, wanted - desired(newSet));
}

function shrinkOldSets(rollout: Rollout, newSet: RolloutSet): void {
  const { deployment } = rollout;
  const minAvailable = desiredOf(deployment) - maxUnavailableOf(deployment);
  const newUnavailable = desired(newSet) - availableOf([newSet]);
  // Pods of the new set that are not available might never be; they do not replace old ones.
  const limit = desiredBy(allSets(rollout)) - minAvailable - newUnavailable;
  if (limit <= 0) return;
  shrink(rollout, limit, (set) => desired(set) - availableOf([set]));
  shrink(rollout, availableOf(allSets(rollout)) - minAvailable, desired);
}

/** Removes up to `limit` pods from old ReplicaSets, the oldest first. */
function shrink(rollout: Rollout, limit: number, removable: (set: RolloutSet) => number): void {
  let left = limit;
  for (const set of rollout.oldSets) {
    const count = Math.min(left, removable(set), desired(set));
    if (count <= 0) continue;
    scaleSet(rollout, set, desired(set) - count);
    left -= count;
  }
}
