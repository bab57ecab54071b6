/** The total time for formatting responses in one turn of the event loop. */
const formattingBudgetMs = 5;

/**
 * A limit of the time in each turn of the event loop for one kind of work, such as formatting large
 * responses. The limit is shared: a hundred responses delay other requests no longer than one does.
 */
export class TimeBudget {
  readonly #budgetMs: number;
  readonly #waiting: (() => void)[] = [];
  /** The end of the budget of this turn; undefined if no work was done in it. */
  #endsAtMs: number | undefined;

  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs;
  }

  /**
   * Returns undefined if time is left in this turn. Otherwise returns a promise that resolves in a
   * later turn; promises resolve in the order of the calls. `nowMs` is the present time
   * (`performance.now()`) of a caller that knows it.
   */
  take(nowMs = performance.now()): Promise<void> | undefined {
    if (this.#endsAtMs === undefined) this.#begin(nowMs);
    else if (nowMs >= this.#endsAtMs) return new Promise((resolve) => this.#waiting.push(resolve));
    return undefined;
  }

  #begin(nowMs: number): void {
    this.#endsAtMs = nowMs + this.#budgetMs;
    setImmediate(() => {
      this.#endsAtMs = undefined;
      if (this.#waiting.length === 0) return;
      this.#begin(performance.now());
      this.#release();
    });
  }

  /**
   * Resolves the waiting calls one by one, each after the work of the previous one, while time is
   * left.
   */
  #release(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length === 0) return;
    // A nextTick callback runs after all pending microtasks if it is scheduled in a microtask, else
    // before them.
    queueMicrotask(() => process.nextTick(() => this.#releaseWithinBudget()));
  }

  #releaseWithinBudget(): void {
    if (this.#endsAtMs !== undefined && performance.now() < this.#endsAtMs) this.#release();
  }
}

/** The limit for formatting responses, shared by the whole process. */
export const formattingBudget = new TimeBudget(formattingBudgetMs);
