/**
 * Timers of low precision for many waiters. All that are due in one step share an entry, and one
 * interval serves all. Ten thousand idle watches cost nothing between their bookmarks.
 */
export class TimerWheel {
  readonly #stepMs: number;
  readonly #steps = new Map<number, Set<() => void>>();
  #timer: NodeJS.Timeout | undefined;
  #done = 0;

  constructor(stepMs: number) {
    this.#stepMs = stepMs;
  }

  /** Number of scheduled actions. */
  get size(): number {
    let size = 0;
    for (const actions of this.#steps.values()) size += actions.size;
    return size;
  }

  /**
   * Runs `action` once after about `delayMs`: at most two steps early and one step late. Returns a
   * function that cancels it.
   */
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

  /** Cancels all. */
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
