/**
 * Timers for many waiting at once that may be a little early: all that fall due in the same step share one place, and one
 * timer turns the wheel. Ten thousand idle watches cost nothing between their bookmarks.
 */
export class TimerWheel {
  readonly #stepMs: number;
  readonly #steps = new Map<number, Set<() => void>>();
  #timer: NodeJS.Timeout | undefined;
  #done = 0;

  constructor(stepMs: number) {
    this.#stepMs = stepMs;
  }

  /** How many wait. */
  get size(): number {
    let size = 0;
    for (const actions of this.#steps.values()) size += actions.size;
    return size;
  }

  /** Runs `action` once after about `delayMs`, at most two steps early, never late by more than one. Answers how to cancel it. */
  schedule(delayMs: number, action: () => void): () => void {
    if (!this.#timer) this.#start();
    const step = Math.max(this.#done + 1, Math.floor((performance.now() + delayMs) / this.#stepMs));
    const actions = this.#steps.get(step) ?? new Set();
    this.#steps.set(step, actions);
    const entry = () => action();
    actions.add(entry);
    return () => {
      actions.delete(entry);
      if (actions.size === 0 && this.#steps.get(step) === actions) this.#steps.delete(step);
    };
  }

  /** Forgets all. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#steps.clear();
  }

  #start(): void {
    this.#done = Math.floor(performance.now() / this.#stepMs);
    this.#timer = setInterval(() => this.#turn(), this.#stepMs);
    this.#timer.unref();
  }

  #turn(): void {
    const now = Math.floor(performance.now() / this.#stepMs);
    while (this.#done < now) {
      this.#done++;
      const actions = this.#steps.get(this.#done);
      this.#steps.delete(this.#done);
      for (const action of actions ?? []) action();
    }
    if (this.#steps.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
