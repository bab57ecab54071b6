import { newDeferred } from './deferred.ts';

/**
 * Lets those who work on one key do so one after the other, in the order in which they came. Whoever waits is not woken by the
 * end of its request: those before it came before it, and so end before it.
 */
export class KeyLock {
  readonly #last = new Map<string, Promise<void>>();

  /** Whether somebody holds the lock of a key. */
  isHeld(key: string): boolean {
    return this.#last.has(key);
  }

  /** Does the work when all that came before it for the key is done. */
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
