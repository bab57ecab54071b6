import { LinkedList } from '../request/linked-list.ts';

interface Waiting {
  readonly dueMs: number;
  readonly expire: () => void;
}

/**
 * Deadlines of many requests that all get the same time. They fall due in the order in which they came, so one timer, for the
 * first of them, is enough; a request that ends in time costs a place in a list and no timer.
 */
export class ExpiryQueue {
  readonly #delayMs: number;
  readonly #waiting = new LinkedList<Waiting>();
  #armed = false;

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  /** Calls `expire` after the delay, unless the answered function is called before. */
  add(expire: () => void): () => void {
    const entry = this.#waiting.add({ dueMs: performance.now() + this.#delayMs, expire });
    if (!this.#armed) this.#arm(this.#delayMs);
    return () => this.#waiting.remove(entry);
  }

  #arm(delayMs: number): void {
    this.#armed = true;
    // The sockets of those who wait keep the process alive.
    setTimeout(() => this.#turn(), delayMs).unref();
  }

  #turn(): void {
    this.#armed = false;
    const nowMs = performance.now();
    for (let entry = this.#waiting.first; entry; entry = this.#waiting.first) {
      const { dueMs, expire } = entry.value;
      // Timers may fire a little before performance.now() agrees.
      if (dueMs > nowMs + 1) return this.#arm(dueMs - nowMs);
      this.#waiting.remove(entry);
      expire();
    }
  }
}
