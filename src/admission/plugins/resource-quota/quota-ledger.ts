import { LRUCache } from 'lru-cache';
import { type Deferred, newDeferred } from '../../../async/deferred.ts';
import type { MaybePromise } from '../../../async/maybe-promise.ts';
import { nextTurn } from '../../../async/next-turn.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { StatusError } from '../../../status/status-error.ts';
import type { Amounts } from '../../amounts.ts';
import type { QuotaState } from './charged-by.ts';
import { type KnownQuota, readQuota, withUsed } from './known-quota.ts';
import type { LimitedResource } from './limited-resources.ts';
import { type ChargePlan, planCharges, raisedResources, stateWithout } from './plan-charges.ts';
import type { QuotaRequest } from './quota-request.ts';

/**
 * Writes the status of a quota, as the server itself; `changed` are the resources whose use differs
 * from that of the quota as it was read. Throws Conflict if the quota was written since. Returns
 * the written object, which must not be changed.
 */
export type WriteQuotaStatus = (
  quota: JsonObject,
  changed: readonly string[],
  signal: AbortSignal,
) => Promise<JsonObject>;

/** The dependencies of a ledger. */
interface LedgerDependencies {
  /** The quotas of a namespace; `latest` includes all earlier writes, also of other servers. */
  readonly list: (namespace: string, latest: boolean, signal: AbortSignal) => MaybePromise<readonly KnownQuota[]>;
  readonly write: WriteQuotaStatus;
  readonly limited: readonly LimitedResource[];
}

/**
 * Maximum of writes that are charged at once; their checks run in one turn of the event loop. More
 * wait for the next batch.
 */
const batchLimit = 128;

/**
 * Turns of the event loop by which a batch waits, so that other writes join it: a busy server reads
 * many requests in a turn. An idle one has no other, and its turns take microseconds.
 */
const turnsForOthers = 2;

/** Time in which a batch must be charged, as in kube-apiserver. */
const timeoutMs = 10_000;

/** How many quotas are kept as written until the cache has them. */
const recentLimit = 1_000;

/** A write that waits for its charge. */
interface WaitingWrite extends Deferred<void> {
  readonly request: QuotaRequest;
}

/**
 * Charges writes to the quotas of their namespace; the result rejects if a quota does not allow
 * the write. The writes of a namespace that arrive during a charge are charged together, so that
 * many of them cost few updates. Servers that charge one quota at a time conflict, and each
 * conflict is planned again: a use is never lost.
 */
export function quotaLedger(dependencies: LedgerDependencies): (request: QuotaRequest) => Promise<void> {
  const queues = new Map<string, WaitingWrite[]>();
  const recent = new LRUCache<string, KnownQuota>({ max: recentLimit });
  const drain = async (namespace: string, queue: WaitingWrite[]): Promise<void> => {
    while (queue.length > 0) {
      for (let turn = 0; turn < turnsForOthers; turn++) await nextTurn();
      await chargeBatch(namespace, queue.splice(0, batchLimit), { ...dependencies, recent });
    }
    queues.delete(namespace);
  };
  return (request) => {
    const { namespace } = request.attributes;
    const waiting = { request, ...newDeferred<void>() };
    const queue = queues.get(namespace);
    if (queue) queue.push(waiting);
    else {
      const started = [waiting];
      queues.set(namespace, started);
      void drain(namespace, started);
    }
    return waiting.promise;
  };
}

interface BatchDependencies extends LedgerDependencies {
  /** The quotas as this server wrote them last, by UID. */
  readonly recent: LRUCache<string, KnownQuota>;
}

/** Settles all writes of a batch; never rejects. */
async function chargeBatch(
  namespace: string,
  batch: readonly WaitingWrite[],
  dependencies: BatchDependencies,
): Promise<void> {
  const isGone = ({ request }: WaitingWrite): boolean => request.attributes.signal.aborted;
  for (const gone of batch.filter(isGone)) gone.reject(gone.request.attributes.signal.reason);
  const present = batch.filter((waiting) => !isGone(waiting));
  const signal = AbortSignal.timeout(timeoutMs);
  const requests = present.map(({ request }) => request);
  try {
    const { refusals } = await chargeAll(namespace, requests, dependencies, signal);
    for (const { request, resolve, reject } of present) {
      if (refusals.has(request)) reject(refusals.get(request));
      else resolve();
    }
  } catch (error) {
    for (const { reject } of present) reject(signal.aborted ? timedOut(error) : error);
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
    // A stale quota may refuse what the present one allows.
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
): Promise<readonly KnownQuota[]> {
  const found = await list(namespace, latest, signal);
  const newest = (quota: KnownQuota): KnownQuota => {
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
    const known = readQuota(await write(withUsed(quota, used), raisedResources(state), signal));
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
