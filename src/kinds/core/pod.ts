import type * as stored from '../../gen/stored/core-v1.ts';
import type * as sent from '../../gen/types/core-v1.ts';

/** A pod as the server stores it, or as a client sends it. */
type AnyPod = stored.Pod | sent.Pod;

/** The reason of the condition `PodScheduled` of a pod that gates keep from being scheduled. */
export const gatedReason = 'SchedulingGated';

/** The condition of a type, if a pod has it. */
export function podCondition({ status }: AnyPod, type: string): stored.PodCondition | sent.PodCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** True if a pod is ready for requests. */
export function isReady(pod: AnyPod): boolean {
  return podCondition(pod, 'Ready')?.status === 'True';
}

/** True if a pod has ended: it succeeded or failed. */
export function hasEnded({ status }: AnyPod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** True if a pod runs or will run: it has not ended and is not being deleted. */
export function isActive(pod: AnyPod): boolean {
  return !hasEnded(pod) && pod.metadata?.deletionTimestamp === undefined;
}

/** The time until a ready pod has been ready for `minReadySeconds`; 0 or less: it is available. */
export function availableInMs(pod: AnyPod, minReadySeconds: number, nowMs: number): number {
  if (minReadySeconds === 0) return 0;
  const since = podCondition(pod, 'Ready')?.lastTransitionTime;
  return since ? Date.parse(since) + minReadySeconds * 1000 - nowMs : minReadySeconds * 1000;
}

/** True if a pod has been ready for `minReadySeconds`. */
export function isAvailable(pod: AnyPod, minReadySeconds: number, nowMs: number): boolean {
  return isReady(pod) && availableInMs(pod, minReadySeconds, nowMs) <= 0;
}

/** A container of any list of a pod. */
export type AnyContainer = stored.Container | stored.EphemeralContainer;

/** Init, ordinary and ephemeral containers. */
export function allContainers(spec: stored.PodSpec): readonly AnyContainer[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}
