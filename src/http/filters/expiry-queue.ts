import { LinkedList } from '../request/linked-list.ts';

interface Waiting {
  readonly dueMs: number;
  readonly expire: () => void;
}

/**
 * A queue of deadlines with one common delay. They expire in the order in which they were added, so
 * that one timer, for the first of them, is enough. A request that ends in time costs a list entry
 * and no timer.
 */
export class ExpiryQueue {
  readonly #delayMs: number;
  readonly #waiting = new LinkedList<Waiting>();
  #armed = false;

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  /** Calls `expire` after the delay, unless the returned function is called before. */
  add(expire: () => void): () => void {
    const entry = this.#waiting.add({ dueMs: performance.now() + this.#delayMs, expire });
    if (!this.#armed) this.#arm(this.#delayMs);
    return () => this.#waiting.remove(entry);
  }

  #arm(delayMs: number): void {
    this.#armed = true;
    // The timer need not keep the process alive: the sockets of the requests do.
    setTimeout(() => this.#turn(), delayMs).unref();
  }

  #turn(): void {
    this.#armed = false;
    const nowMs = performance.now();
    for (let entry = this.#waiting.first; entry; entry = this.#waiting.first) {
      const { dueMs, expire } = entry.value;
      // A timer may fire slightly early compared to performance.now().
      if (dueMs > nowMs + 1) return this.#arm(dueMs - nowMs);
      this.#waiting.remove(entry);
      expire();
    }
  }
}
