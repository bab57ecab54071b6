import type { EventDescription } from '../../client/events/event-recorder.ts';
import type { Deployment, ReplicaSet, StoredMetadata } from '../resources.ts';
import type { RolloutNames } from './deployment-annotations.ts';
import { maxSurgeOf } from './rolling-limits.ts';

/** A ReplicaSet as the rollout sees it: one that is to be created has no resourceVersion yet. */
export type RolloutSet = Omit<ReplicaSet, 'metadata'> & {
  metadata: Omit<StoredMetadata, 'uid' | 'resourceVersion' | 'creationTimestamp'> & Partial<StoredMetadata>;
};

/** The state of a Deployment while it is planned. The steps of the plan change it. */
export interface Rollout {
  /** A copy. */
  readonly deployment: Deployment;
  readonly names: RolloutNames;
  readonly nowMs: number;
  /** The ReplicaSet with the present template. */
  newSet: RolloutSet | undefined;
  /** The others, the oldest first. */
  oldSets: RolloutSet[];
  readonly events: EventDescription[];
}

/** All ReplicaSets of a rollout. */
export function allSets({ newSet, oldSets }: Rollout): RolloutSet[] {
  return newSet ? [...oldSets, newSet] : oldSets;
}

/** The number of pods that a ReplicaSet is to have. */
export function desired({ spec }: RolloutSet): number {
  return spec.replicas ?? 1;
}

/** The number of pods that a Deployment is to have. */
export function desiredOf({ spec }: Deployment): number {
  return spec.replicas ?? 1;
}

/** The pods that ReplicaSets are to have together. */
export function desiredBy(sets: readonly RolloutSet[]): number {
  return sets.reduce((sum, set) => sum + desired(set), 0);
}

/** The pods of ReplicaSets that are available. */
export function availableOf(sets: readonly RolloutSet[]): number {
  return sets.reduce((sum, { status }) => sum + (status?.availableReplicas ?? 0), 0);
}

/** The pods that ReplicaSets have. */
export function actualOf(sets: readonly RolloutSet[]): number {
  return sets.reduce((sum, { status }) => sum + (status?.replicas ?? 0), 0);
}

/** Sets the size of a ReplicaSet, and the annotations with the sizes of its Deployment. */
export function scaleSet(rollout: Rollout, set: RolloutSet, replicas: number): boolean {
  const { deployment, names, events } = rollout;
  const before = desired(set);
  const wanted = desiredOf(deployment);
  set.metadata.annotations = {
    ...set.metadata.annotations,
    [names.desiredReplicas]: String(wanted),
    [names.maxReplicas]: String(wanted + maxSurgeOf(deployment)),
  };
  if (before === replicas) return false;
  set.spec = { ...set.spec, replicas };
  const direction = before < replicas ? 'up' : 'down';
  events.push({
    type: 'Normal',
    reason: 'ScalingReplicaSet',
    message: `Scaled ${direction} replica set ${set.metadata.name} ${names.scaling(before, replicas)}`,
  });
  return true;
}
