import { isDeepStrictEqual } from 'node:util';
import type { OwnerReference } from '../../client/api-object.ts';
import type { ReconcileResult } from '../../client/controllers/controller.ts';
import type { EventDescription } from '../../client/events/event-recorder.ts';
import type { Pod } from '../../gen/types/core-v1.ts';
import type { Condition } from '../../gen/types/meta-v1.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../gen/types/policy-v1.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { matchLabelSelector } from '../../meta/object-label-selector.ts';
import type { ControllerScale } from './read-scale.ts';

/** The Pods of a budget, and the calls of `reconcile`. */
interface BudgetCalls {
  readonly pods: readonly Pod[];
  readonly scaleOf: (owner: OwnerReference) => Promise<ControllerScale | undefined>;
  readonly report: (event: EventDescription) => void;
  readonly update: (budget: PodDisruptionBudget) => Promise<unknown>;
  readonly nowMs: number;
}

/** An evicted Pod that is not deleted after this time counts again. */
const deletionTimeoutMs = 120_000;

/** Counts the Pods of a budget, and writes how many may be evicted, unless the status has it. */
export async function reconcile(budget: PodDisruptionBudget, calls: BudgetCalls): Promise<ReconcileResult> {
  const { pods, report, update, nowMs } = calls;
  if (pods.length === 0) report({ type: 'Normal', reason: 'NoPods', message: 'No matching pods found' });
  const { expected, desired } = await wantedCounts(budget, calls);
  const disrupted = stillDisrupted(budget, calls);
  const healthy = pods.filter(
    (pod) => !pod.metadata?.deletionTimestamp && !disrupted.has(pod.metadata?.name ?? '') && isReady(pod),
  ).length;
  const allowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
  const status: PodDisruptionBudgetStatus = {
    observedGeneration: budget.metadata?.generation ?? 0,
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    ...(disrupted.size > 0 ? { disruptedPods: Object.fromEntries(disrupted) } : {}),
    conditions: conditionsOf(budget, allowed, nowMs),
  };
  if (!isDeepStrictEqual(budget.status, status)) await update({ ...budget, status });
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

/** The Pods that their controllers want, whatever the number of present ones. */
async function expectedScale({ pods, scaleOf, report }: BudgetCalls): Promise<number> {
  const scales = new Map<string, number>();
  for (const { metadata } of pods) {
    const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
    const scale = owner && (await scaleOf(owner));
    if (scale) scales.set(scale.uid, scale.replicas);
    else {
      const what = owner ? 'no controllers' : 'no controller ref';
      const message = `found ${what} for pod "${metadata?.name ?? ''}"`;
      report({ type: 'Warning', reason: owner ? 'NoControllers' : 'NoControllerRef', message });
    }
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

/** A number, or a share of the total, rounded up. */
function scaled(value: number | string, total: number): number {
  return typeof value === 'number' ? value : Math.ceil((Number.parseInt(value, 10) * total) / 100);
}

/** The evicted Pods whose deletion has not been seen yet, with the times of their evictions. */
function stillDisrupted(budget: PodDisruptionBudget, { pods, nowMs }: BudgetCalls): ReadonlyMap<string, string> {
  const evicted = Object.entries(budget.status?.disruptedPods ?? {});
  const present = new Map(pods.map((pod) => [pod.metadata?.name ?? '', pod]));
  return new Map(
    evicted.filter(([name, time]) => {
      const pod = present.get(name);
      return pod && !pod.metadata?.deletionTimestamp && Date.parse(time) + deletionTimeoutMs > nowMs;
    }),
  );
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false;
}

function conditionsOf({ metadata, status }: PodDisruptionBudget, allowed: number, nowMs: number): Condition[] {
  const type = 'DisruptionAllowed';
  const present = status?.conditions ?? [];
  const before = present.find((each) => each.type === type);
  const state = allowed > 0 ? 'True' : 'False';
  const now = new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z');
  const condition: Condition = {
    type,
    status: state,
    observedGeneration: metadata?.generation ?? 0,
    lastTransitionTime: before?.status === state ? before.lastTransitionTime : now,
    reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  };
  return [...present.filter((each) => each.type !== type), condition];
}
