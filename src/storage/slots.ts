import { abortable } from './abortable.ts';
import { newDeferred } from './deferred.ts';

/** Lets so many at work at a time, in the order in which they come. Who entered must leave. */
export class Slots {
  #free: number;
  /** Those who wait, each by what lets it in. */
  readonly #queue = new Set<(entered: boolean) => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Waits for its turn, `timeoutMs` at most: false where it did not come. Throws Cancelled when the signal aborts. */
  async enter(signal: AbortSignal | undefined, timeoutMs?: number): Promise<boolean> {
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
      return await abortable(promise, signal);
    } catch (error) {
      // It may have been let in at the moment when it went away.
      if (!this.#queue.delete(resolve)) this.leave();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  leave(): void {
    const [next] = this.#queue;
    if (!next) this.#free++;
    else {
      this.#queue.delete(next);
      next(true);
    }
  }
}
