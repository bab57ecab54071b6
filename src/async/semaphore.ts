import { newDeferred } from './deferred.ts';
import { untilAborted } from './until-aborted.ts';

/** Lets so many at work at a time, in the order in which they come. Who has acquired it must release it. */
export class Semaphore {
  #free: number;
  /** Those who wait, each by what lets it in. */
  readonly #queue = new Set<(acquired: boolean) => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Waits for its turn, `timeoutMs` at most: false where it did not come. Throws the reason of the signal when that aborts. */
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
      // It may have been let in at the moment when it went away.
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
