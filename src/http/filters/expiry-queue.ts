interface Entry {
  readonly dueMs: number;
  readonly expire: () => void;
}

/**
 * Deadlines of many requests that all get the same time. They fall due in the order in which they came, so one timer, for the
 * first of them, is enough; a request that ends in time costs a place in a set and no timer.
 */
export class ExpiryQueue {
  readonly #delayMs: number;
  readonly #entries = new Set<Entry>();
  #armed = false;

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  /** Calls `expire` after the delay, unless the answered function is called before. */
  add(expire: () => void): () => void {
    const entry = { dueMs: performance.now() + this.#delayMs, expire };
    this.#entries.add(entry);
    if (!this.#armed) this.#arm(this.#delayMs);
    return () => this.#entries.delete(entry);
  }

  #arm(delayMs: number): void {
    this.#armed = true;
    // The sockets of those who wait keep the process alive.
    setTimeout(() => this.#turn(), delayMs).unref();
  }

  #turn(): void {
    this.#armed = false;
    const nowMs = performance.now();
    for (const entry of this.#entries) {
      // Timers may fire a little before performance.now() agrees.
      if (entry.dueMs > nowMs + 1) return this.#arm(entry.dueMs - nowMs);
      this.#entries.delete(entry);
      entry.expire();
    }
  }
}
