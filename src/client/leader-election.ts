import { linkSignals, onAbort } from '../async/abort-signals.ts';
import { pause } from '../async/timers.ts';
import { nowMicroTime } from '../meta/time.ts';
import type { ApiObject } from './api-object.ts';
import type { ResourceReference } from './resource-path.ts';
import { hasReason, ignoreReasons } from './error-of-response.ts';

/** A Lease of the coordination group, shared by the candidates. */
export interface Lease extends ApiObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
    /** The strategy by which the server chooses the holder; absent: the first writer becomes it. */
    strategy?: string;
    /** The candidate that the server has chosen as the next holder. */
    preferredHolder?: string;
  };
}

/** The verbs of Leases that an election uses. */
export interface LeaseAccess {
  readonly reference: Pick<ResourceReference<Lease>, 'group' | 'version'>;
  get(name: string, options: LeaseCall): Promise<Lease>;
  create(lease: Lease, options: LeaseCall): Promise<Lease>;
  update(lease: Lease, options: LeaseCall): Promise<Lease>;
  watch(
    options: LeaseCall & { readonly fieldSelector: string },
  ): AsyncIterable<{ readonly type: string; readonly object: Lease }>;
}

/** The namespace and name of a Lease, and the signal of the call. */
interface LeaseCall {
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** The candidate, the lease and the timing. */
export interface LeaderElectionOptions {
  readonly leases: LeaseAccess;
  readonly namespace: string;
  readonly name: string;
  /** Unique among the candidates. */
  readonly identity: string;
  /**
   * The time after which others take over from a leader that does not renew. The default is 15
   * seconds, as in kube-controller-manager.
   */
  readonly leaseDurationMs?: number;
  /**
   * The time after which a leader that cannot renew stops leading; less than `leaseDurationMs`. The
   * default is two thirds of it.
   */
  readonly renewDeadlineMs?: number;
  /**
   * The time between renewals, and between attempts of the others; less than `renewDeadlineMs`. The
   * default is a fifth of it.
   */
  readonly retryPeriodMs?: number;
  /**
   * The work of the leader. Its signal aborts when leadership or the election ends. `isHeld` turns
   * false as soon as the lease has not been renewed in time, even if this process was stopped
   * meanwhile and the signal comes later: ask it before a write.
   */
  readonly lead: (signal: AbortSignal, isHeld: () => boolean) => Promise<void>;
  readonly onError?: (error: unknown) => void;
  /**
   * True if the server chooses the leader (coordinated leader election). The candidate also needs a
   * LeaseCandidate. It leads while the Lease names it as holder and no other preferred holder.
   */
  readonly coordinated?: boolean;
}

/** A dead leader is replaced within 15 seconds, as one of kube-controller-manager. */
const defaultLeaseDurationMs = 15_000;

/** Time to release the lease at the end: without a server it expires. */
const releaseTimeoutMs = 2000;

/**
 * Runs `lead` while holding a Lease. Returns `stopped` when the signal aborts (the lease is then
 * released, so that the next leader need not wait), `lost` when leadership is lost, and `finished`
 * when `lead` returns. Throws the error of `lead`, and RangeError for times that could make two
 * candidates lead at once. Clocks of candidates are never compared: a lease is stale if it has not
 * changed for its duration by the own clock.
 */
export async function runLeaderElection(
  options: LeaderElectionOptions,
  signal: AbortSignal,
): Promise<'stopped' | 'lost' | 'finished'> {
  const candidate = new Candidate({ ...options, ...electionTimes(options) });
  await acquire(candidate, signal);
  if (signal.aborted) {
    await candidate.release();
    return 'stopped';
  }
  const leading = new AbortController();
  // Renewal continues while the work ends after a stop, so that no other candidate leads before it
  // has ended.
  const renewal = candidate.renew(leading.signal).then(() => 'lost' as const);
  const isHeld = (): boolean => !leading.signal.aborted && candidate.isInTime();
  const work = lead(options, AbortSignal.any([signal, leading.signal]), isHeld);
  let outcome: 'finished' | 'lost' | undefined;
  try {
    outcome = await Promise.race([work, renewal]);
  } finally {
    leading.abort();
    await Promise.allSettled([work, renewal]);
    if (outcome !== 'lost') await candidate.release();
  }
  return outcome === 'finished' && signal.aborted ? 'stopped' : outcome;
}

/** Runs the work. An error that it throws before its first promise rejects too. */
async function lead(options: LeaderElectionOptions, signal: AbortSignal, isHeld: () => boolean): Promise<'finished'> {
  await options.lead(signal, isHeld);
  return 'finished';
}

interface ElectionTimes {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** Completes the times in the proportions of kube-controller-manager, and checks them. */
function electionTimes(options: LeaderElectionOptions): ElectionTimes {
  const { leaseDurationMs = defaultLeaseDurationMs } = options;
  const { renewDeadlineMs = (leaseDurationMs * 2) / 3 } = options;
  const { retryPeriodMs = renewDeadlineMs / 5 } = options;
  // Also false for NaN.
  if (0 < retryPeriodMs && retryPeriodMs < renewDeadlineMs && renewDeadlineMs < leaseDurationMs) {
    return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
  }
  const given = `${retryPeriodMs}, ${renewDeadlineMs} and ${leaseDurationMs}`;
  throw new RangeError(`0 < retryPeriodMs < renewDeadlineMs < leaseDurationMs is required, not ${given}`);
}

/**
 * Attempts until the lease is held or the signal aborts. A watch ends the wait between attempts
 * when the holder releases the lease, so that the next leader follows at once.
 */
async function acquire(candidate: Candidate, signal: AbortSignal): Promise<void> {
  if (signal.aborted || (await candidate.tryAcquireOrRenew())) return;
  let wake = new AbortController();
  const watching = new AbortController();
  const release = onAbort(signal, () => watching.abort());
  const watch = candidate.followReleases(() => wake.abort(), watching.signal);
  try {
    do {
      const { signal: woken, release: unlink } = linkSignals(signal, wake.signal);
      await pause(candidate.retryMs(), woken);
      unlink();
      wake = new AbortController();
    } while (!signal.aborted && !(await candidate.tryAcquireOrRenew()));
  } finally {
    release();
    watching.abort();
    await watch;
  }
}

type CompleteOptions = LeaderElectionOptions & ElectionTimes;

/** One run for one lease; remembers the last lease it read and when. */
class Candidate {
  readonly #options: CompleteOptions;
  #seen: Lease | undefined;
  #seenAtMs = 0;
  /** The end of the time for which the last renewal counts. */
  #deadlineMs = 0;

  constructor(options: CompleteOptions) {
    this.#options = options;
  }

  /** Random, so that candidates do not collide repeatedly. */
  retryMs(): number {
    return this.#options.retryPeriodMs * (1 + 0.2 * Math.random());
  }

  /**
   * Takes the lease if it is free, stale or our own, within `limitMs`. Errors are reported and
   * return false.
   */
  async tryAcquireOrRenew(limitMs = this.#options.renewDeadlineMs): Promise<boolean> {
    const sentAtMs = performance.now();
    try {
      const isOurs = await this.#attempt(AbortSignal.timeout(limitMs), sentAtMs + limitMs);
      // Others count from the request at the earliest, and the response may arrive much later.
      if (isOurs) this.#deadlineMs = sentAtMs + this.#options.renewDeadlineMs;
      // A response that is read too late may be about a lease that others hold by now.
      return isOurs && this.isInTime();
    } catch (error) {
      // Another candidate was faster, which is normal.
      if (!hasReason(error, 'Conflict', 'AlreadyExists')) this.#options.onError?.(error);
      return false;
    }
  }

  /**
   * Calls back when the lease is released or deleted. Without the right to watch leases it only
   * returns: the attempts find it out later.
   */
  async followReleases(onRelease: () => void, signal: AbortSignal): Promise<void> {
    const { leases, namespace, name, onError } = this.#options;
    while (!signal.aborted) {
      try {
        for await (const { type, object } of leases.watch({
          namespace,
          fieldSelector: `metadata.name=${name}`,
          signal,
        })) {
          const { holderIdentity } = object.spec ?? {};
          if (type === 'DELETED' || !holderIdentity || holderIdentity === this.#options.identity) onRelease();
        }
      } catch (error) {
        if (hasReason(error, 'Forbidden', 'MethodNotAllowed')) return;
        if (!signal.aborted) onError?.(error);
      }
      await pause(this.retryMs(), signal);
    }
  }

  /**
   * Returns when the lease could not be renewed until the deadline, another candidate holds it, or
   * the signal aborts.
   */
  async renew(signal: AbortSignal): Promise<void> {
    const { retryPeriodMs } = this.#options;
    while (!signal.aborted) {
      await pause(retryPeriodMs, signal);
      // After a pause of the process others may lead: it must not renew a lost lease.
      if (signal.aborted || !this.isInTime()) return;
      // The request ends by the deadline too: a leader without a connection stops before its lease
      // is stale for others.
      const leftMs = Math.max(1, Math.ceil(this.#deadlineMs - performance.now()));
      if (!(await this.tryAcquireOrRenew(leftMs)) && (!this.isInTime() || this.#heldByAnother())) return;
    }
  }

  /** True until the deadline of the next renewal. */
  isInTime(): boolean {
    return performance.now() < this.#deadlineMs;
  }

  /** Releases the lease if it is our own. */
  async release(): Promise<void> {
    const signal = AbortSignal.timeout(releaseTimeoutMs);
    try {
      await this.#releaseSeen(signal).catch(async (error: unknown) => {
        // Others may have changed the metadata of the lease since the last renewal.
        if (!hasReason(error, 'Conflict')) throw error;
        this.#seen = await this.#read(signal);
        await this.#releaseSeen(signal);
      });
    } catch (error) {
      // The lease expires without a release too.
      this.#options.onError?.(error);
    }
  }

  async #releaseSeen(signal: AbortSignal): Promise<void> {
    const { identity, leases, namespace } = this.#options;
    const lease = this.#seen;
    if (lease?.spec?.holderIdentity !== identity) return;
    const spec = { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: nowMicroTime() };
    await leases.update({ ...lease, spec }, { namespace, signal });
  }

  async #attempt(signal: AbortSignal, endMs: number): Promise<boolean> {
    const { leases, namespace, name, identity } = this.#options;
    const { coordinated = false } = this.#options;
    const current = await this.#read(signal);
    // After a pause of the process its response is handled before the timer of the signal.
    if (performance.now() >= endMs) return false;
    if (!current && coordinated) return false;
    if (!current) {
      const metadata = { namespace, name };
      this.#remember(
        await leases.create({ ...this.#typeOf(), metadata, spec: this.#spec(undefined) }, { namespace, signal }),
      );
      return true;
    }
    const changed = current.metadata?.resourceVersion !== this.#seen?.metadata?.resourceVersion;
    if (changed) this.#remember(current);
    const holder = current.spec?.holderIdentity ?? '';
    if (coordinated && (holder !== identity || this.#isStale(current) || current.spec?.preferredHolder)) return false;
    if (holder !== '' && holder !== identity && !this.#isStale(current)) return false;
    this.#remember(await leases.update({ ...current, spec: this.#spec(current) }, { namespace, signal }));
    return true;
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    const { leases, namespace, name } = this.#options;
    return await ignoreReasons(leases.get(name, { namespace, signal }), 'NotFound');
  }

  #spec(current: Lease | undefined): NonNullable<Lease['spec']> {
    const { identity, leaseDurationMs } = this.#options;
    const ours = current?.spec?.holderIdentity === identity;
    const now = nowMicroTime();
    return {
      ...current?.spec,
      holderIdentity: identity,
      leaseDurationSeconds: Math.max(1, Math.ceil(leaseDurationMs / 1000)),
      acquireTime: (ours ? current?.spec?.acquireTime : undefined) ?? now,
      renewTime: now,
      leaseTransitions: (current?.spec?.leaseTransitions ?? 0) + (current && !ours ? 1 : 0),
    };
  }

  #typeOf(): Pick<Lease, 'apiVersion' | 'kind'> {
    const { group, version } = this.#options.leases.reference;
    return { apiVersion: `${group}/${version}`, kind: 'Lease' };
  }

  #remember(lease: Lease): void {
    this.#seen = lease;
    this.#seenAtMs = performance.now();
  }

  /** Uses the holder's duration, which may be configured differently. */
  #isStale(lease: Lease): boolean {
    const durationMs = (lease.spec?.leaseDurationSeconds ?? 0) * 1000;
    return performance.now() - this.#seenAtMs > durationMs;
  }

  #heldByAnother(): boolean {
    const holder = this.#seen?.spec?.holderIdentity;
    return holder !== undefined && holder !== this.#options.identity;
  }
}
