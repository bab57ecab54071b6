import type { EventDescription } from '../../client/events/event-recorder.ts';
import type { Deployment, Pod, ReplicaSet } from '../resources.ts';
import type { DeploymentStatus } from '../../gen/types/apps-v1.ts';
import { compareRevisions, revisionOf, type RolloutNames } from './deployment-annotations.ts';
import { findNewSet, makeNewSet, numberNewSet } from './find-new-set.ts';
import { isRolling } from './rolling-limits.ts';
import { stepRollingUpdate } from './rolling-update.ts';
import { desired, type Rollout, type RolloutSet, actualOf, desiredOf, scaleSet } from './rollout.ts';
import {
  countedStatus,
  deadlineInMs,
  hasDeadline,
  isComplete,
  progressOf,
  progressReasons,
  deploymentStatus,
  setProgress,
} from './deployment-status.ts';
import { isScaled, scaleInProportion } from './scale-in-proportion.ts';
import { hasEnded } from '../../kinds/core/pod.ts';

/** The state that a plan depends on. */
interface DeploymentState {
  readonly deployment: Deployment;
  /** The ReplicaSets that it controls. */
  readonly replicaSets: readonly ReplicaSet[];
  readonly podsOf: (uid: string) => readonly Pod[];
  readonly names: RolloutNames;
  readonly nowMs: number;
}

/** The next step of a Deployment. */
export interface DeploymentPlan {
  /** The ReplicaSet of a new template. */
  readonly creation?: RolloutSet;
  /** ReplicaSets with their new size and annotations. */
  readonly updates: readonly ReplicaSet[];
  /** ReplicaSets beyond the history limit. */
  readonly deletions: readonly ReplicaSet[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly status: DeploymentStatus;
  readonly events: readonly EventDescription[];
  readonly requeueAfterMs?: number;
}

/** Plans the next step of a Deployment that is not to be rolled back. */
export function planDeployment({ deployment, replicaSets, podsOf, names, nowMs }: DeploymentState): DeploymentPlan {
  const sets = replicaSets.toSorted(byAge).map(copyOf);
  const newSet = findNewSet(sets, deployment.spec.template, names.hashLabel);
  const rollout: Rollout = {
    deployment: { ...deployment, metadata: { ...deployment.metadata } },
    names,
    nowMs,
    newSet,
    oldSets: sets.filter((set) => set !== newSet),
    events: [],
  };
  const { status, history = [] } = stepOf(rollout, (set) => podsOf(set.metadata.uid ?? ''));
  const removed = new Set(history.map(({ metadata }) => metadata.name));
  return {
    creation: rollout.newSet === newSet ? undefined : rollout.newSet,
    updates: sets.filter(
      (set, index) => !removed.has(set.metadata.name) && differs(set, replicaSets.toSorted(byAge)[index]),
    ),
    deletions: replicaSets.filter(({ metadata }) => removed.has(metadata.name)),
    annotations: rollout.deployment.metadata.annotations ?? {},
    status,
    events: rollout.events,
    requeueAfterMs: deadlineInMs(rollout.deployment, status, nowMs),
  };
}

interface RolloutStep {
  readonly status: DeploymentStatus;
  readonly history?: readonly RolloutSet[];
}

function stepOf(rollout: Rollout, podsOf: (set: RolloutSet) => readonly Pod[]): RolloutStep {
  const { deployment } = rollout;
  if (deployment.metadata.deletionTimestamp) return { status: countedStatus(rollout) };
  notePause(rollout);
  if (deployment.spec.paused || isScaled(rollout)) {
    numberNewSet(rollout);
    scaleInProportion(rollout);
    return { status: countedStatus(rollout), history: deployment.spec.paused ? surplusHistory(rollout) : [] };
  }
  if (isRolling(deployment)) {
    ensureNewSet(rollout);
    stepRollingUpdate(rollout);
  } else {
    numberNewSet(rollout);
    if (!endOldSets(rollout, podsOf)) return { status: deploymentStatus(rollout) };
    ensureNewSet(rollout);
    growNewSet(rollout);
  }
  return {
    status: deploymentStatus(rollout),
    history: isComplete(deployment, rollout.deployment.status) ? surplusHistory(rollout) : [],
  };
}

function ensureNewSet(rollout: Rollout): void {
  if (rollout.newSet) numberNewSet(rollout);
  else makeNewSet(rollout);
}

/** The time of a pause does not count for the deadline. */
function notePause(rollout: Rollout): void {
  const { deployment } = rollout;
  const reason = progressOf(deployment.status)?.reason;
  if (!hasDeadline(deployment) || reason === progressReasons.timedOut) return;
  const { paused, resumed } = progressReasons;
  if (deployment.spec.paused && reason !== paused) setProgress(rollout, 'Unknown', paused, 'Deployment is paused');
  if (!deployment.spec.paused && reason === paused) setProgress(rollout, 'Unknown', resumed, 'Deployment is resumed');
}

/** Old ReplicaSets beyond the history limit; those that still have pods stay. */
function surplusHistory({ deployment, oldSets, names }: Rollout): readonly RolloutSet[] {
  const limit = deployment.spec.revisionHistoryLimit ?? noHistoryLimit;
  const candidates = oldSets.filter(({ metadata }) => !metadata.deletionTimestamp);
  return candidates
    .toSorted((a, b) => compareRevisions(revisionOf(a, names), revisionOf(b, names)))
    .slice(0, Math.max(0, candidates.length - limit))
    .filter((set) => {
      const { generation = 0 } = set.metadata;
      return (
        desired(set) === 0 && (set.status?.replicas ?? 0) === 0 && generation <= (set.status?.observedGeneration ?? 0)
      );
    });
}

const noHistoryLimit = 2 ** 31 - 1;

function byAge(a: ReplicaSet, b: ReplicaSet): number {
  const difference = Date.parse(a.metadata.creationTimestamp) - Date.parse(b.metadata.creationTimestamp);
  return difference || (a.metadata.name < b.metadata.name ? -1 : 1);
}

/** Steps replace the annotations and the spec, and do not change them in place. */
function copyOf(set: ReplicaSet): ReplicaSet {
  return { ...set, metadata: { ...set.metadata } };
}

function differs(planned: ReplicaSet, present: ReplicaSet | undefined): boolean {
  if (!present) return false;
  const { replicas, minReadySeconds = 0 } = present.spec;
  if (planned.spec.replicas !== replicas || (planned.spec.minReadySeconds ?? 0) !== minReadySeconds) return true;
  const [before, after] = [present.metadata.annotations ?? {}, planned.metadata.annotations ?? {}];
  return Object.keys({ ...before, ...after }).some((name) => before[name] !== after[name]);
}

/** Ends all pods of earlier ReplicaSets. Returns true when none is left. */
function endOldSets(rollout: Rollout, podsOf: (set: RolloutSet) => readonly Pod[]): boolean {
  const shrunk = rollout.oldSets.filter((set) => desired(set) > 0);
  for (const set of shrunk) scaleSet(rollout, set, 0);
  if (shrunk.length > 0 || actualOf(rollout.oldSets) > 0) return false;
  return rollout.oldSets.every((set) => podsOf(set).every(hasEnded));
}

/** Gives the new ReplicaSet its size. */
function growNewSet(rollout: Rollout): void {
  if (rollout.newSet) scaleSet(rollout, rollout.newSet, desiredOf(rollout.deployment));
}
