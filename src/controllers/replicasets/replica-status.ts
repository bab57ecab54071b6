import { matchLabelSelector } from '../../meta/object-label-selector.ts';
import { formatTime } from '../../meta/time.ts';
import { availableInMs, hasEnded, isActive, isReady } from '../../kinds/core/pod.ts';
import type { Pod, ReplicaSet } from '../resources.ts';
import type { ReplicaSetCondition, ReplicaSetStatus } from '../../gen/types/apps-v1.ts';
import { conditionOf, withCondition, withoutCondition } from '../../kinds/meta/condition-of.ts';

/** The failure of a creation or deletion of pods. */
interface ReplicaFailure {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly message: string;
}

/** The status of a ReplicaSet by its pods; `failure` is the failure of the present attempt. */
export function replicaStatus(
  { metadata, spec, status }: ReplicaSet,
  pods: readonly Pod[],
  nowMs: number,
  failure?: ReplicaFailure,
): ReplicaSetStatus {
  const active = pods.filter(isActive);
  const ready = active.filter(isReady);
  const available = ready.filter((pod) => availableInMs(pod, spec.minReadySeconds ?? 0, nowMs) <= 0);
  const labelled = matchLabelSelector({ matchLabels: { ...spec.template.metadata?.labels } });
  const conditions = conditionsWith(status?.conditions, failure, nowMs);
  return {
    replicas: active.length,
    ...counted('fullyLabeledReplicas', active.filter((pod) => labelled(pod.metadata.labels ?? {})).length),
    ...counted('readyReplicas', ready.length),
    ...counted('availableReplicas', available.length),
    ...terminatingIn(status, pods),
    observedGeneration: metadata.generation,
    ...(conditions.length > 0 ? { conditions } : {}),
  };
}

/**
 * The number of terminating pods, if the server knows the field: its pods have a generation then.
 */
function terminatingIn(
  status: ReplicaSetStatus | undefined,
  pods: readonly Pod[],
): Pick<ReplicaSetStatus, 'terminatingReplicas'> {
  const isKnown = status?.terminatingReplicas !== undefined || pods.some(({ metadata }) => metadata.generation);
  if (!isKnown) return {};
  return { terminatingReplicas: pods.filter((pod) => pod.metadata.deletionTimestamp && !hasEnded(pod)).length };
}

/** The time until the next ready pod becomes available; undefined if none will. */
export function nextAvailableInMs({ spec }: ReplicaSet, pods: readonly Pod[], nowMs: number): number | undefined {
  const times = pods
    .filter((pod) => isActive(pod) && isReady(pod))
    .map((pod) => availableInMs(pod, spec.minReadySeconds ?? 0, nowMs))
    .filter((ms) => ms > 0);
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** Zero is left out, as it is of stored objects. */
function counted(name: string, count: number): Record<string, number> {
  return count === 0 ? {} : { [name]: count };
}

function conditionsWith(
  present: ReplicaSetCondition[] | undefined,
  failure: ReplicaFailure | undefined,
  nowMs: number,
) {
  const type = 'ReplicaFailure';
  if (!failure) return withoutCondition(present, type);
  if (conditionOf(present, type)) return [...(present ?? [])];
  return withCondition(present, { type, status: 'True', lastTransitionTime: formatTime(nowMs), ...failure });
}
