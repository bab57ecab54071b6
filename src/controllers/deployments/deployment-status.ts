import { formatTime } from '../../meta/time.ts';
import type { Deployment } from '../resources.ts';
import type { DeploymentCondition, DeploymentStatus } from '../../gen/types/apps-v1.ts';
import { conditionOf, withCondition, withoutCondition } from '../../kinds/meta/condition-of.ts';
import { maxUnavailableOf } from './rolling-limits.ts';
import { actualOf, allSets, availableOf, desiredBy, desiredOf, type Rollout } from './rollout.ts';

const available = 'Available';
const progressing = 'Progressing';
const failure = 'ReplicaFailure';

/** Reasons of the condition Progressing, which clients such as `rollout status` know. */
export const progressReasons = Object.freeze({
  created: 'NewReplicaSetCreated',
  createFailed: 'ReplicaSetCreateError',
  found: 'FoundNewReplicaSet',
  updated: 'ReplicaSetUpdated',
  complete: 'NewReplicaSetAvailable',
  timedOut: 'ProgressDeadlineExceeded',
  paused: 'DeploymentPaused',
  resumed: 'DeploymentResumed',
});

/** No deadline: the greatest value, as Kubernetes has it. */
const noDeadline = 2 ** 31 - 1;

/** True if the Deployment reports its progress. */
export function hasDeadline({ spec }: Deployment): boolean {
  return (spec.progressDeadlineSeconds ?? noDeadline) !== noDeadline;
}

/** Sets the condition Progressing of the Deployment. */
export function setProgress({ deployment, nowMs }: Rollout, status: string, reason: string, message: string): void {
  const condition = newCondition(progressing, status, reason, message, nowMs);
  deployment.status = { ...deployment.status, conditions: withCondition(deployment.status?.conditions, condition) };
}

/** The condition Progressing. */
export function progressOf(status: DeploymentStatus | undefined): DeploymentCondition | undefined {
  return conditionOf(status?.conditions, progressing);
}

/** Counts the pods, and says whether they are available. */
export function countedStatus(rollout: Rollout): DeploymentStatus {
  const { deployment, newSet, nowMs } = rollout;
  const sets = allSets(rollout);
  const ready = sets.reduce((sum, { status }) => sum + (status?.readyReplicas ?? 0), 0);
  const terminating = sets.flatMap(({ status }) => status?.terminatingReplicas ?? []);
  const isAvailable = availableOf(sets) >= desiredOf(deployment) - maxUnavailableOf(deployment);
  const condition = isAvailable
    ? newCondition(available, 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', nowMs)
    : newCondition(
        available,
        'False',
        'MinimumReplicasUnavailable',
        'Deployment does not have minimum availability.',
        nowMs,
      );
  return {
    observedGeneration: deployment.metadata.generation,
    replicas: actualOf(sets),
    updatedReplicas: newSet ? actualOf([newSet]) : 0,
    readyReplicas: ready,
    availableReplicas: availableOf(sets),
    unavailableReplicas: Math.max(0, desiredBy(sets) - availableOf(sets)),
    ...(terminating.length > 0 ? { terminatingReplicas: terminating.reduce((sum, each) => sum + each, 0) } : {}),
    collisionCount: deployment.status?.collisionCount,
    conditions: withCondition(deployment.status?.conditions, condition),
  };
}

/** The status of a rollout in progress: counts, progress and failures. */
export function deploymentStatus(rollout: Rollout): DeploymentStatus {
  const { deployment } = rollout;
  const status = countedStatus(rollout);
  if (!hasDeadline(deployment)) status.conditions = withoutCondition(status.conditions, progressing);
  else if (!wasComplete(rollout, status)) setProgressCondition(rollout, status);
  const failed = failureOf(rollout);
  status.conditions = failed ? withCondition(status.conditions, failed) : withoutCondition(status.conditions, failure);
  return status;
}

/** A complete rollout does not time out when its pods fail later. */
function wasComplete({ deployment }: Rollout, status: DeploymentStatus): boolean {
  return (
    status.replicas === status.updatedReplicas && progressOf(deployment.status)?.reason === progressReasons.complete
  );
}

function setProgressCondition({ deployment, newSet, nowMs }: Rollout, status: DeploymentStatus): void {
  const name = newSet ? `ReplicaSet "${newSet.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  const progress = (value: string, reason: string, message: string): DeploymentCondition =>
    newCondition(progressing, value, reason, message, nowMs);
  if (isComplete(deployment, status)) {
    const condition = progress('True', progressReasons.complete, `${name} has successfully progressed.`);
    status.conditions = withCondition(status.conditions, condition);
  } else if (isProgressing(deployment.status, status)) {
    const current = progressOf(status);
    const condition = progress('True', progressReasons.updated, `${name} is progressing.`);
    if (current?.status === 'True') condition.lastTransitionTime = current.lastTransitionTime;
    // Replaced even with the same reason, because its time is the time of the last progress.
    status.conditions = withCondition(withoutCondition(status.conditions, progressing), condition);
  } else if (isTimedOut(deployment, status, nowMs)) {
    const condition = progress('False', progressReasons.timedOut, `${name} has timed out progressing.`);
    status.conditions = withCondition(status.conditions, condition);
  }
}

/** True if all pods have the present template and are available, and no others are left. */
export function isComplete(deployment: Deployment, status: DeploymentStatus | undefined): boolean {
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0, observedGeneration = 0 } = status ?? {};
  const wanted = desiredOf(deployment);
  const counts = [updatedReplicas, replicas, availableReplicas];
  return counts.every((count) => count === wanted) && observedGeneration >= (deployment.metadata.generation ?? 0);
}

function isProgressing(before: DeploymentStatus = {}, after: DeploymentStatus): boolean {
  const more = (name: 'updatedReplicas' | 'readyReplicas' | 'availableReplicas'): boolean =>
    (after[name] ?? 0) > (before[name] ?? 0);
  return (
    more('updatedReplicas') || outdated(after) < outdated(before) || more('readyReplicas') || more('availableReplicas')
  );
}

function outdated({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number {
  return replicas - updatedReplicas;
}

function isTimedOut({ spec }: Deployment, status: DeploymentStatus, nowMs: number): boolean {
  const current = progressOf(status);
  if (!current || current.reason === progressReasons.complete) return false;
  return current.reason === progressReasons.timedOut || deadlineOf(current, spec.progressDeadlineSeconds ?? 0) <= nowMs;
}

function deadlineOf({ lastUpdateTime = '' }: DeploymentCondition, seconds: number): number {
  return Date.parse(lastUpdateTime) + seconds * 1000;
}

/** The time until a rollout that makes no progress has to be looked at again. */
export function deadlineInMs(deployment: Deployment, status: DeploymentStatus, nowMs: number): number | undefined {
  const current = progressOf(status);
  if (!hasDeadline(deployment) || !current || deployment.spec.paused || isComplete(deployment, status))
    return undefined;
  const settled: readonly string[] = [progressReasons.complete, progressReasons.timedOut];
  if (settled.includes(current.reason ?? '')) return undefined;
  // Times of conditions are whole seconds.
  return Math.max(0, deadlineOf(current, deployment.spec.progressDeadlineSeconds ?? 0) - nowMs) + 1000;
}

function failureOf(rollout: Rollout): DeploymentCondition | undefined {
  const sets = [...(rollout.newSet ? [rollout.newSet] : []), ...rollout.oldSets];
  const found = sets.map(({ status }) => conditionOf(status?.conditions, failure)).find(Boolean);
  if (!found) return undefined;
  const { status, reason = '', message = '', lastTransitionTime } = found;
  return { ...newCondition(failure, status, reason, message, rollout.nowMs), lastTransitionTime };
}

function newCondition(
  type: string,
  status: string,
  reason: string,
  message: string,
  nowMs: number,
): DeploymentCondition {
  const time = formatTime(nowMs);
  return { type, status, reason, message, lastUpdateTime: time, lastTransitionTime: time };
}
