import { abortable } from '../../port/abortable.ts';
import { newDeferred } from '../../../async/deferred.ts';

/** How long a caller waits for a revision. */
export interface Patience {
  readonly timeoutMs: number;
  /**
   * True if the caller has another source: it stops waiting as soon as the watch on the store
   * breaks.
   */
  readonly untilBroken?: boolean;
}

interface Waiter {
  readonly revision: number;
  readonly resolve: (reached: boolean) => void;
  readonly untilBroken: boolean;
  /** Arrival time (`performance.now()`). */
  readonly sinceMs: number;
}

/** Callers that wait until the reflector has delivered a revision. */
export class RevisionWaiters {
  readonly #waiters = new Set<Waiter>();

  get size(): number {
    return this.#waiters.size;
  }

  /**
   * Resolves to true when `revision` is reached, to false on timeout. Throws Cancelled when the
   * signal aborts.
   */
  async wait(revision: number, patience: Patience, signal: AbortSignal | undefined): Promise<boolean> {
    const { promise, resolve } = newDeferred<boolean>();
    const { untilBroken = false } = patience;
    const waiter: Waiter = { revision, resolve, untilBroken, sinceMs: performance.now() };
    const timer = setTimeout(resolve, patience.timeoutMs, false);
    this.#waiters.add(waiter);
    try {
      return await abortable(promise, signal);
    } finally {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    }
  }

  /** Revisions of the waiters that arrived at or before `sinceMs` (`performance.now()`). */
  revisionsSince(sinceMs: number): number[] {
    return [...this.#waiters].filter((waiter) => waiter.sinceMs <= sinceMs).map(({ revision }) => revision);
  }

  /** Resolves the waiters whose revision is reached. */
  reached(revision: number): void {
    for (const waiter of this.#waiters) if (revision >= waiter.revision) waiter.resolve(true);
  }

  /** Resolves the `untilBroken` waiters to false. */
  broken(): void {
    for (const waiter of this.#waiters) if (waiter.untilBroken) waiter.resolve(false);
  }

  /** Resolves all waiters to false. */
  close(): void {
    for (const waiter of this.#waiters) waiter.resolve(false);
  }
}
