import { newDeferred } from './deferred.ts';
import { untilAborted } from './abort-signals.ts';

/**
 * Limits the number of concurrent holders; waiters acquire it in order. A holder must release it.
 */
export class Semaphore {
  #free: number;
  /** The waiters' resolve functions, in order. */
  readonly #queue = new Set<(acquired: boolean) => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Waits for a free slot, at most `timeoutMs`. Resolves to false on timeout. Throws the signal's
   * reason when it aborts.
   */
  async acquire(signal: AbortSignal | undefined, timeoutMs?: number): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--;
      return true;
    }
    const { promise, resolve } = newDeferred<boolean>();
    this.#queue.add(resolve);
    const giveUp = (): void => {
      if (this.#queue.delete(resolve)) resolve(false);
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
    try {
      return await untilAborted(promise, signal);
    } catch (error) {
      // The slot may have been granted at the moment of the abort.
      if (!this.#queue.delete(resolve)) this.release();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  release(): void {
    const [next] = this.#queue;
    if (!next) this.#free++;
    else {
      this.#queue.delete(next);
      next(true);
    }
  }
}
