import { isDeepStrictEqual } from 'node:util';
import type { OwnerReference } from '../../client/api-object.ts';
import type { ReconcileResult } from '../../client/controllers/controller.ts';
import type { EventDescription } from '../../client/events/event-recorder.ts';
import type { Pod } from '../../gen/types/core-v1.ts';
import { isReady } from '../../kinds/core/pod.ts';
import type { Condition } from '../../gen/types/meta-v1.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../gen/types/policy-v1.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { matchLabelSelector } from '../../meta/object-label-selector.ts';
import { formatTime } from '../../meta/time.ts';
import { type ControllerScale, UnknownScaleError } from './read-scale.ts';

/** The Pods of a budget, and the calls of `reconcile`. */
interface BudgetCalls {
  readonly pods: readonly Pod[];
  readonly scaleOf: (owner: OwnerReference) => Promise<ControllerScale | undefined>;
  readonly report: (event: EventDescription) => void;
  /** Reports an occurrence about one of the Pods. */
  readonly reportOf: (pod: Pod, event: EventDescription) => void;
  readonly update: (budget: PodDisruptionBudget) => Promise<unknown>;
  readonly nowMs: number;
}

/** An evicted Pod that is not deleted after this time counts again. */
const deletionTimeoutMs = 120_000;

/**
 * Counts the Pods of a budget, and writes how many may be evicted, unless the status has it. If the
 * expected number of Pods is unknown, none may be evicted.
 */
export async function reconcile(budget: PodDisruptionBudget, calls: BudgetCalls): Promise<ReconcileResult> {
  const { pods, report } = calls;
  if (pods.length === 0) report({ type: 'Normal', reason: 'NoPods', message: 'No matching pods found' });
  let wanted: WantedCounts;
  try {
    wanted = await wantedCounts(budget, calls);
  } catch (error) {
    await refuseEvictions(budget, error, calls);
    if (error instanceof UnknownScaleError) return {};
    throw error;
  }
  return countPods(budget, wanted, calls);
}

async function refuseEvictions(budget: PodDisruptionBudget, error: unknown, calls: BudgetCalls): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `Failed to calculate the number of expected pods: ${reason}`;
  calls.report({ type: 'Warning', reason: 'CalculateExpectedPodCountFailed', message });
  const unknown = { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  await writeStatus(budget, calls, {
    ...unknown,
    ...budget.status,
    disruptionsAllowed: 0,
    conditions: conditionsOf(budget, { isAllowed: false, reason: 'SyncFailed', message: reason }, calls.nowMs),
  });
}

async function writeStatus(
  budget: PodDisruptionBudget,
  { update }: BudgetCalls,
  status: PodDisruptionBudgetStatus,
): Promise<void> {
  if (!isDeepStrictEqual(budget.status, status)) await update({ ...budget, status });
}

async function countPods(
  budget: PodDisruptionBudget,
  { expected, desired }: WantedCounts,
  calls: BudgetCalls,
): Promise<ReconcileResult> {
  const { pods, nowMs } = calls;
  const disrupted = stillDisrupted(budget, calls);
  const healthy = pods.filter(
    (pod) => !pod.metadata?.deletionTimestamp && !disrupted.has(pod.metadata?.name ?? '') && isReady(pod),
  ).length;
  const allowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
  const isAllowed = allowed > 0;
  const reason = isAllowed ? 'SufficientPods' : 'InsufficientPods';
  await writeStatus(budget, calls, {
    observedGeneration: budget.metadata?.generation ?? 0,
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    ...(disrupted.size > 0 ? { disruptedPods: Object.fromEntries(disrupted) } : {}),
    conditions: conditionsOf(budget, { isAllowed, reason, message: '' }, nowMs),
  });
  const ends = [...disrupted.values()].map((time) => Date.parse(time) + deletionTimeoutMs - nowMs);
  return ends.length > 0 ? { requeueAfterMs: Math.min(...ends) } : {};
}

/** True if a budget is about a Pod of its namespace. */
export function selects({ spec }: PodDisruptionBudget, { metadata }: Pod): boolean {
  // An object of the API is JSON.
  return matchLabelSelector(spec?.selector as JsonObject | undefined)(metadata?.labels ?? {});
}

/** Numbers of Pods. */
interface WantedCounts {
  readonly expected: number;
  /** How many must be healthy. */
  readonly desired: number;
}

async function wantedCounts({ spec }: PodDisruptionBudget, calls: BudgetCalls): Promise<WantedCounts> {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable !== undefined) {
    const expected = await expectedScale(calls);
    return { expected, desired: Math.max(0, expected - scaled(maxUnavailable, expected)) };
  }
  if (typeof minAvailable === 'number') return { expected: calls.pods.length, desired: minAvailable };
  if (minAvailable === undefined) return { expected: 0, desired: 0 };
  const expected = await expectedScale(calls);
  return { expected, desired: scaled(minAvailable, expected) };
}

/**
 * The Pods that their controllers want, whatever the number of present ones. Pods without a
 * controller do not count, as since release 1.22. Throws UnknownScaleError if a controller has no
 * scale.
 */
async function expectedScale({ pods, scaleOf, report }: BudgetCalls): Promise<number> {
  const scales = new Map<string, number>();
  for (const { metadata } of pods) {
    const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
    if (!owner) continue;
    const scale = await scaleOf(owner);
    if (!scale) {
      const message = `found no controllers for pod "${metadata?.name ?? ''}"`;
      report({ type: 'Warning', reason: 'NoControllers', message });
      throw new UnknownScaleError(message);
    }
    scales.set(scale.uid, scale.replicas);
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

/** A number, or a share of the total, rounded up. */
function scaled(value: number | string, total: number): number {
  return typeof value === 'number' ? value : Math.ceil((Number.parseInt(value, 10) * total) / 100);
}

/** The evicted Pods whose deletion has not been seen yet, with the times of their evictions. */
function stillDisrupted(
  budget: PodDisruptionBudget,
  { pods, nowMs, reportOf }: BudgetCalls,
): ReadonlyMap<string, string> {
  const evicted = budget.status?.disruptedPods ?? {};
  const disrupted = new Map<string, string>();
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata ?? {};
    const time = evicted[name];
    if (time === undefined || deletionTimestamp !== undefined) continue;
    if (Date.parse(time) + deletionTimeoutMs > nowMs) disrupted.set(name, time);
    else reportOf(pod, notDeleted(budget));
  }
  return disrupted;
}

/** The Event of a Pod whose eviction was allowed and had no effect. */
function notDeleted({ metadata: { namespace = '' } = {} }: PodDisruptionBudget): EventDescription {
  // kube-controller-manager has the namespace in the place of the name too.
  const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
  return { type: 'Warning', reason: 'NotDeleted', message };
}

function conditionsOf(
  { metadata, status }: PodDisruptionBudget,
  { isAllowed, reason, message }: { readonly isAllowed: boolean; readonly reason: string; readonly message: string },
  nowMs: number,
): Condition[] {
  const type = 'DisruptionAllowed';
  const present = status?.conditions ?? [];
  const before = present.find((each) => each.type === type);
  const state = isAllowed ? 'True' : 'False';
  const now = formatTime(nowMs);
  const condition: Condition = {
    type,
    status: state,
    observedGeneration: metadata?.generation ?? 0,
    lastTransitionTime: before?.status === state ? before.lastTransitionTime : now,
    reason,
    message,
  };
  return [...present.filter((each) => each.type !== type), condition];
}
