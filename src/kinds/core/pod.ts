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

/** True for an init container that goes on running beside the containers: a sidecar. */
export function isSidecar({ restartPolicy }: { readonly restartPolicy?: string }): boolean {
  return restartPolicy === 'Always';
}

/** A container with a restart policy of its own, which replaces the policy of its pod. */
interface RestartingContainer {
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly {
    readonly action?: string;
    readonly exitCodes?: { readonly operator?: string; readonly values?: readonly number[] };
  }[];
}

/** The action of the first restart rule of a container that matches an exit code. */
function restartRuleFor(
  { restartPolicyRules = [] }: RestartingContainer,
  exitCode: number,
): 'Restart' | 'RestartAllContainers' | undefined {
  const rule = restartPolicyRules.find(({ exitCodes }) => {
    const isListed = (exitCodes?.values ?? []).includes(exitCode);
    return exitCodes?.operator === 'NotIn' ? !isListed : exitCodes?.operator === 'In' && isListed;
  });
  return rule?.action as ReturnType<typeof restartRuleFor>;
}

/** True if all containers of a pod start again when one ends with an exit code. */
export function restartsAll(container: RestartingContainer, exitCode: number): boolean {
  return restartRuleFor(container, exitCode) === 'RestartAllContainers';
}

/** True if a rule of a container may start all containers of its pod again. */
export function mayRestartAll({ restartPolicyRules = [] }: RestartingContainer): boolean {
  return restartPolicyRules.some(({ action }) => action === 'RestartAllContainers');
}

/**
 * True if an ended container is restarted: by its rules, its own policy or the policy of its pod.
 */
export function shouldRestart(container: RestartingContainer, ofPod: string | undefined, exitCode: number): boolean {
  if (restartRuleFor(container, exitCode)) return true;
  const policy = container.restartPolicy ?? ofPod ?? 'Always';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}
