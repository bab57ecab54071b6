import { hasEnded } from '../../kinds/core/pod.ts';
import type { Pod } from '../resources.ts';
import { actualOf, desired, desiredOf, type Rollout, type RolloutSet, scaleSet } from './rollout.ts';

/** Ends all pods of earlier ReplicaSets. Returns true when none is left. */
export function endOldSets(rollout: Rollout, podsOf: (set: RolloutSet) => readonly Pod[]): boolean {
  const shrunk = rollout.oldSets.filter((set) => desired(set) > 0);
  for (const set of shrunk) scaleSet(rollout, set, 0);
  if (shrunk.length > 0 || actualOf(rollout.oldSets) > 0) return false;
  return rollout.oldSets.every((set) => podsOf(set).every(hasEnded));
}

/** Gives the new ReplicaSet its size. */
export function growNewSet(rollout: Rollout): void {
  if (rollout.newSet) scaleSet(rollout, rollout.newSet, desiredOf(rollout.deployment));
}
