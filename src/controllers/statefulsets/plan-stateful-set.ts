import { availableInMs, hasEnded, isAvailable, isReady } from '../../kinds/core/pod.ts';
import type { Pod, StatefulSet } from '../resources.ts';
import type { StatefulSetStatus } from '../../gen/types/apps-v1.ts';
import { resolveCount } from '../../kinds/meta/parse-percent.ts';
import { hasClaims, ordinalOf, startOf } from './set-pod.ts';

/** The state that a plan depends on. */
interface SetState {
  readonly set: StatefulSet;
  /** The pods that the StatefulSet controls. */
  readonly pods: readonly Pod[];
  /** Names of the revisions that pods have before and after an update. */
  readonly currentRevision: string;
  readonly updateRevision: string;
  readonly revisionLabel: string;
  /** The label of a pod with its name. */
  readonly podNameLabel: string;
  readonly nowMs: number;
}

/** The next steps of a StatefulSet. */
interface StatefulSetPlan {
  readonly creations: readonly { readonly ordinal: number; readonly revision: string }[];
  readonly deletions: readonly Pod[];
  /** Failed pods, which are deleted to be created again. */
  readonly failed: readonly Pod[];
  /** Adopted pods that do not have the label with their name yet, or not their claims. */
  readonly unidentified: readonly Pod[];
  readonly status: StatefulSetStatus;
  readonly requeueAfterMs?: number;
}

/**
 * Plans the next steps of a StatefulSet: one pod at a time, unless its pods are managed in
 * parallel.
 */
export function planStatefulSet(state: SetState): StatefulSetPlan {
  const { set, pods, nowMs } = state;
  const steps = set.metadata.deletionTimestamp ? none : stepsOf(state);
  const { minReadySeconds = 0 } = set.spec;
  const waits = pods
    .filter(isReady)
    .map((pod) => availableInMs(pod, minReadySeconds, nowMs))
    .filter((ms) => ms > 0);
  return {
    ...none,
    ...steps,
    status: statusOf(state),
    requeueAfterMs: waits.length > 0 ? Math.min(...waits) : undefined,
  };
}

type SetSteps = Omit<StatefulSetPlan, 'status' | 'requeueAfterMs'>;
type PodSteps = Omit<SetSteps, 'unidentified'>;

const none: SetSteps = Object.freeze({ creations: [], deletions: [], failed: [], unidentified: [] });

function stepsOf(state: SetState): SetSteps {
  const { set, pods } = state;
  const wanted = set.spec.replicas ?? 1;
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod, set) ?? -1, pod]));
  const start = startOf(set);
  const ordinals = Array.from({ length: wanted }, (_, index) => start + index);
  const surplus = [...byOrdinal.keys()]
    .filter((ordinal) => ordinal < start || ordinal >= start + wanted)
    .toSorted((a, b) => b - a);
  const isParallel = set.spec.podManagementPolicy === 'Parallel';
  const steps = isParallel ? parallelSteps : orderedSteps;
  return {
    ...steps(state, byOrdinal, ordinals, surplus),
    unidentified: unidentifiedPods(
      state,
      byOrdinal,
      isParallel ? ordinals : ordinals.slice(0, healthyCount(state, byOrdinal)),
    ),
  };
}

/** The number of pods before the first one that is not healthy. */
function healthyCount(state: SetState, byOrdinal: ReadonlyMap<number, Pod>): number {
  const start = startOf(state.set);
  let count = 0;
  while (isHealthy(state, byOrdinal.get(start + count))) count++;
  return count;
}

function unidentifiedPods(
  { set, podNameLabel }: SetState,
  byOrdinal: ReadonlyMap<number, Pod>,
  ordinals: readonly number[],
): Pod[] {
  return ordinals.flatMap((ordinal) => {
    const pod = byOrdinal.get(ordinal);
    if (!pod || isTerminating(pod)) return [];
    const { labels, name } = pod.metadata;
    return labels?.[podNameLabel] === name && hasClaims(set, ordinal, pod) ? [] : [pod];
  });
}

function parallelSteps(
  state: SetState,
  byOrdinal: ReadonlyMap<number, Pod>,
  ordinals: readonly number[],
  surplus: readonly number[],
): PodSteps {
  const present = ordinals.map((ordinal) => byOrdinal.get(ordinal));
  const failed = present.filter((pod) => pod !== undefined).filter((pod) => hasEnded(pod) && !isTerminating(pod));
  const missing = ordinals.filter((ordinal) => !byOrdinal.has(ordinal));
  const creations = missing.map((ordinal) => ({ ordinal, revision: revisionOf(state, ordinal) }));
  const deletions = surplus.flatMap((ordinal) => byOrdinal.get(ordinal) ?? []).filter((pod) => !isTerminating(pod));
  if (creations.length + deletions.length + failed.length > 0) return { creations, deletions, failed };
  return update(state, byOrdinal, ordinals);
}

/** Each step waits until all pods before it are ready. */
function orderedSteps(
  state: SetState,
  byOrdinal: ReadonlyMap<number, Pod>,
  ordinals: readonly number[],
  surplus: readonly number[],
): PodSteps {
  for (const ordinal of ordinals) {
    const pod = byOrdinal.get(ordinal);
    if (!pod) return { ...none, creations: [{ ordinal, revision: revisionOf(state, ordinal) }] };
    if (isTerminating(pod)) return none;
    if (hasEnded(pod)) return { ...none, failed: [pod] };
    // One that is broken is not replaced by an update either: it could be the last that works.
    if (!isHealthy(state, pod)) return none;
  }
  const unhealthy = surplus.filter((ordinal) => !isHealthy(state, byOrdinal.get(ordinal)));
  const first = unhealthy.at(-1);
  for (const ordinal of surplus) {
    const pod = byOrdinal.get(ordinal);
    if (!pod || isTerminating(pod)) return none;
    // The last one goes first, unless another one before it is in trouble.
    if (first !== undefined && !isHealthy(state, pod) && first !== ordinal) return none;
    return { ...none, deletions: [pod] };
  }
  return update(state, byOrdinal, ordinals);
}

/** Replaces pods of other revisions, from the last one down to the partition. */
function update(state: SetState, byOrdinal: ReadonlyMap<number, Pod>, ordinals: readonly number[]): PodSteps {
  const { type, rollingUpdate } = state.set.spec.updateStrategy ?? {};
  if (type === 'OnDelete') return none;
  const limit = rollingUpdate?.maxUnavailable;
  if (limit !== undefined) return updateSeveral(state, byOrdinal, ordinals, limit);
  for (const ordinal of ordinals.toReversed()) {
    const pod = byOrdinal.get(ordinal);
    if (ordinal < partitionOf(state.set)) return none;
    if (pod && isOutdated(state, pod, ordinal) && !isTerminating(pod)) return { ...none, deletions: [pod] };
    if (!isHealthy(state, pod)) return none;
  }
  return none;
}

/** Replaces as many pods as may be unavailable. A pod that is unavailable already counts once. */
function updateSeveral(
  state: SetState,
  byOrdinal: ReadonlyMap<number, Pod>,
  ordinals: readonly number[],
  limit: number | string,
): PodSteps {
  const isUp = (ordinal: number): boolean => isHealthy(state, byOrdinal.get(ordinal));
  const down = ordinals.filter((ordinal) => !isUp(ordinal)).length;
  let left = Math.max(1, resolveCount(limit, ordinals.length, Math.floor)) - down;
  const deletions = ordinals.toReversed().flatMap((ordinal) => {
    const pod = byOrdinal.get(ordinal);
    if (!pod || isTerminating(pod) || !isOutdated(state, pod, ordinal)) return [];
    return isUp(ordinal) && left-- <= 0 ? [] : [pod];
  });
  return { ...none, deletions };
}

function isOutdated({ set, revisionLabel, updateRevision }: SetState, { metadata }: Pod, ordinal: number): boolean {
  return ordinal >= partitionOf(set) && metadata.labels?.[revisionLabel] !== updateRevision;
}

/** The revision with which a pod is created. */
function revisionOf({ set, currentRevision, updateRevision }: SetState, ordinal: number): string {
  if (set.spec.updateStrategy?.type === 'OnDelete') return updateRevision;
  return ordinal < partitionOf(set) ? currentRevision : updateRevision;
}

/** The ordinal of the first pod that updates replace. */
function partitionOf(set: StatefulSet): number {
  return startOf(set) + (set.spec.updateStrategy?.rollingUpdate?.partition ?? 0);
}

function isTerminating({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function isHealthy({ set, nowMs }: SetState, pod: Pod | undefined): boolean {
  if (!pod || isTerminating(pod) || pod.status?.phase !== 'Running') return false;
  return isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs);
}

function statusOf(state: SetState): StatefulSetStatus {
  const { set, pods, currentRevision, updateRevision, revisionLabel, nowMs } = state;
  const own = pods.filter((pod) => ordinalOf(pod, set) !== undefined);
  const running = own.filter((pod) => pod.status?.phase === 'Running');
  const live = own.filter((pod) => !isTerminating(pod) && !hasEnded(pod));
  const at = (revision: string): number =>
    live.filter(({ metadata }) => metadata.labels?.[revisionLabel] === revision).length;
  const status = {
    observedGeneration: set.metadata.generation,
    replicas: own.length,
    readyReplicas: running.filter(isReady).length,
    availableReplicas: running.filter((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs)).length,
    currentReplicas: at(currentRevision),
    updatedReplicas: at(updateRevision),
    currentRevision,
    updateRevision,
    collisionCount: set.status?.collisionCount ?? 0,
    conditions: set.status?.conditions,
  };
  return isUpdated(status, set)
    ? { ...status, currentRevision: updateRevision, currentReplicas: status.updatedReplicas }
    : status;
}

function isUpdated({ updatedReplicas, readyReplicas, replicas }: StatefulSetStatus, { spec }: StatefulSet): boolean {
  if (spec.updateStrategy?.type === 'OnDelete') return false;
  return replicas === (spec.replicas ?? 1) && updatedReplicas === replicas && readyReplicas === replicas;
}
