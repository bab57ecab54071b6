import { newDeferred } from './deferred.ts';

/**
 * A lock per key: work on one key runs sequentially, in the order of the calls. The end of a
 * request does not end its wait: earlier work belongs to earlier requests, which end before it.
 */
export class KeyLock {
  readonly #last = new Map<string, Promise<void>>();

  /** True if the lock of a key is held. */
  isHeld(key: string): boolean {
    return this.#last.has(key);
  }

  /** Runs the work after all earlier work on the key has ended. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const { promise, resolve } = newDeferred<void>();
    this.#last.set(key, promise);
    try {
      await before;
      return await work();
    } finally {
      if (this.#last.get(key) === promise) this.#last.delete(key);
      resolve();
    }
  }
}
