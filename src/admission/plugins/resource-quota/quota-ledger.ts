import { LRUCache } from 'lru-cache';
import { type Deferred, newDeferred } from '../../../async/deferred.ts';
import type { MaybePromise } from '../../../async/maybe-promise.ts';
import { nextTurn } from '../../../async/yield-if-long.ts';
import type { ResourceQuota } from '../../../gen/stored/core-v1.ts';
import { StatusError } from '../../../status/status-error.ts';
import type { Amounts } from '../../../kinds/core/amounts.ts';
import type { QuotaState } from './charged-by.ts';
import { type QuotaLimits, readQuota, withUsed } from './quota-limits.ts';
import type { LimitedResource } from './limited-resources.ts';
import { type ChargePlan, planCharges, raisedResources, stateWithout } from './plan-charges.ts';
import type { QuotaRequest } from './quota-request.ts';

/** A new use of a quota. */
interface QuotaStatusWrite {
  /** The quota as it was read or written last. */
  readonly old: ResourceQuota;
  /** The quota with the new use. */
  readonly quota: ResourceQuota;
  /** The resources whose use differs. */
  readonly changed: readonly string[];
}

/**
 * Writes the status of a quota, as the server itself. Throws Conflict if the quota was written
 * since. Returns the written object, which must not be changed.
 */
export type WriteQuotaStatus = (write: QuotaStatusWrite, signal: AbortSignal) => Promise<ResourceQuota>;

/** The dependencies of a ledger. */
interface LedgerDependencies {
  /** The quotas of a namespace; `latest` includes all earlier writes, also of other servers. */
  readonly list: (namespace: string, latest: boolean, signal: AbortSignal) => MaybePromise<readonly QuotaLimits[]>;
  readonly write: WriteQuotaStatus;
  readonly limited: readonly LimitedResource[];
}

/**
 * Maximum of writes that are charged at once; their checks run in one turn of the event loop. More
 * wait for the next batch.
 */
const batchLimit = 128;

/**
 * A batch waits for others until this many turns of the event loop have brought none: a busy server
 * reads many requests in a turn, and the more writes share a charge, the less each costs. An idle
 * one has no other, and its turns take microseconds.
 */
const idleTurns = 2;

/** The turns that a batch waits at most. */
const mostTurns = 8;

/** Time in which a batch must be charged, as in kube-apiserver. */
const timeoutMs = 10_000;

/** How many quotas are kept as written until the cache has them. */
const recentLimit = 1_000;

/** The errors of the writes that the quotas refuse. */
type Refusals = ReadonlyMap<QuotaRequest, unknown>;

/** Writes that are charged together. */
interface Batch extends Deferred<Refusals> {
  readonly requests: QuotaRequest[];
}

/**
 * Charges writes to the quotas of their namespace; the result rejects if a quota does not allow
 * the write. The writes of a namespace that arrive during a charge are charged together, so that
 * many of them cost few updates. Servers that charge one quota at a time conflict, and each
 * conflict is planned again: a use is never lost.
 */
export function quotaLedger(dependencies: LedgerDependencies): (request: QuotaRequest) => Promise<void> {
  const waiting = new Map<string, Batch[]>();
  const recent = new LRUCache<string, QuotaLimits>({ max: recentLimit });
  const drain = async (namespace: string, batches: Batch[]): Promise<void> => {
    for (let batch = batches[0]; batch; batch = batches[0]) {
      await waitForOthers(batch);
      // Later writes begin another batch.
      batches.shift();
      await chargeBatch(namespace, batch, { ...dependencies, recent });
    }
    waiting.delete(namespace);
  };
  return (request) => {
    const { namespace } = request.attributes;
    const batches = waiting.get(namespace) ?? [];
    const last = batches.at(-1);
    const batch = last && last.requests.length < batchLimit ? last : { requests: [], ...newDeferred<Refusals>() };
    batch.requests.push(request);
    if (batch !== last) batches.push(batch);
    if (!waiting.has(namespace)) {
      waiting.set(namespace, batches);
      void drain(namespace, batches);
    }
    return outcomeOf(batch, request);
  };
}

/** Resolves when the write is charged; rejects if a quota refuses it. */
async function outcomeOf({ promise }: Batch, request: QuotaRequest): Promise<void> {
  const refusals = await promise;
  if (refusals.has(request)) throw refusals.get(request);
}

async function waitForOthers({ requests }: Batch): Promise<void> {
  let idle = 0;
  for (let turn = 0; turn < mostTurns && idle < idleTurns && requests.length < batchLimit; turn++) {
    const before = requests.length;
    await nextTurn();
    idle = requests.length > before ? 0 : idle + 1;
  }
}

interface BatchDependencies extends LedgerDependencies {
  /** The quotas as this server wrote them last, by UID. */
  readonly recent: LRUCache<string, QuotaLimits>;
}

/** Settles a batch; never rejects. */
async function chargeBatch(
  namespace: string,
  { requests, resolve, reject }: Batch,
  dependencies: BatchDependencies,
): Promise<void> {
  const gone = requests.filter(({ attributes }) => attributes.signal.aborted);
  const present = gone.length === 0 ? requests : requests.filter((request) => !gone.includes(request));
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { refusals } = await chargeAll(namespace, present, dependencies, signal);
    const reasons = gone.map((request) => [request, request.attributes.signal.reason] as const);
    resolve(gone.length === 0 ? refusals : new Map<QuotaRequest, unknown>([...refusals, ...reasons]));
  } catch (error) {
    reject(signal.aborted ? timedOut(error) : error);
  }
}

/** Plans and writes until no quota was changed in between. */
async function chargeAll(
  namespace: string,
  requests: readonly QuotaRequest[],
  dependencies: BatchDependencies,
  signal: AbortSignal,
): Promise<ChargePlan> {
  // The charges of this batch that the quotas contain since an earlier attempt.
  const written = new Map<string, Amounts>();
  for (let latest = false; ; latest = true) {
    signal.throwIfAborted();
    const quotas = await currentQuotas(namespace, dependencies, latest, signal);
    const states = quotas.map((quota) => stateWithout(quota, written.get(quota.uid)));
    const plan = planCharges(states, requests, dependencies.limited);
    // A stale quota may refuse a use that the present one allows.
    if (plan.refusals.size > 0 && !latest) continue;
    const raised = plan.states.filter((state) => raisedResources(state).length > 0);
    const results = await Promise.all(raised.map((state) => writeState(state, dependencies, signal)));
    for (const [index, { quota }] of raised.entries()) {
      const amounts = plan.charged.get(quota.uid);
      if (results[index] && amounts) written.set(quota.uid, amounts);
    }
    if (results.every(Boolean)) return plan;
  }
}

async function currentQuotas(
  namespace: string,
  { list, recent }: BatchDependencies,
  latest: boolean,
  signal: AbortSignal,
): Promise<readonly QuotaLimits[]> {
  const found = await list(namespace, latest, signal);
  const newest = (quota: QuotaLimits): QuotaLimits => {
    const own = recent.get(quota.uid);
    return own && own.revision > quota.revision ? own : quota;
  };
  return found.map(newest).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Writes a new use; false if the quota was changed or deleted in between. */
async function writeState(
  state: QuotaState,
  { write, recent }: BatchDependencies,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { quota, used } = state;
    const change = { old: quota.object, quota: withUsed(quota, used), changed: raisedResources(state) };
    const known = readQuota(await write(change, signal));
    recent.set(known.uid, known);
    return true;
  } catch (error) {
    if (error instanceof StatusError && (error.reason === 'Conflict' || error.reason === 'NotFound')) return false;
    throw error;
  }
}

function timedOut(cause: unknown): StatusError {
  return new StatusError('InternalError', 'Internal error occurred: resource quota evaluation timed out', { cause });
}
