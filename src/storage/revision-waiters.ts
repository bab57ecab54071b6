import { abortable } from './abortable.ts';
import { newDeferred } from '../async/deferred.ts';

/** How long a caller waits for a revision. */
export interface Patience {
  readonly timeoutMs: number;
  /** Set where the caller has another source: it gives up as soon as the watch on the store is known to be broken. */
  readonly untilBroken?: boolean;
}

interface Waiter {
  readonly revision: number;
  readonly resolve: (reached: boolean) => void;
  readonly untilBroken: boolean;
  /** When it came (`performance.now()`). */
  readonly sinceMs: number;
}

/** Callers that wait until a revision has been delivered. */
export class RevisionWaiters {
  readonly #waiters = new Set<Waiter>();

  get size(): number {
    return this.#waiters.size;
  }

  /** Whether `revision` is reached in time. Throws Cancelled when the signal aborts. */
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

  /** Revisions that callers have waited for at least since a time of `performance.now()`. */
  revisionsSince(sinceMs: number): number[] {
    return [...this.#waiters].filter((waiter) => waiter.sinceMs <= sinceMs).map(({ revision }) => revision);
  }

  /** Lets all go whose revision is reached. */
  reached(revision: number): void {
    for (const waiter of this.#waiters) if (revision >= waiter.revision) waiter.resolve(true);
  }

  /** Lets those go that wait only while the watch is sound. */
  broken(): void {
    for (const waiter of this.#waiters) if (waiter.untilBroken) waiter.resolve(false);
  }

  /** Lets all go in vain. */
  close(): void {
    for (const waiter of this.#waiters) waiter.resolve(false);
  }
}
