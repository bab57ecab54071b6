import type { Clock } from '../../../src/client/clock.ts';

/** A clock that stands still until it is advanced. */
export class FakeClock implements Clock {
  #nowMs = 0;
  readonly #timers = new Set<{ readonly dueMs: number; readonly action: () => void }>();

  nowMs(): number {
    return this.#nowMs;
  }

  schedule(delayMs: number, action: () => void): () => void {
    const timer = { dueMs: this.#nowMs + delayMs, action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Runs the timers that are due within a time, in order. */
  advance(byMs: number): void {
    const endMs = this.#nowMs + byMs;
    for (;;) {
      const due = [...this.#timers].filter(({ dueMs }) => dueMs <= endMs);
      const [next] = due.toSorted((one, other) => one.dueMs - other.dueMs);
      if (!next) break;
      this.#timers.delete(next);
      this.#nowMs = next.dueMs;
      next.action();
    }
    this.#nowMs = endMs;
  }

  get scheduled(): number {
    return this.#timers.size;
  }
}
