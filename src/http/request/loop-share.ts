/** How long answers are formatted in one turn of the event loop, all of them together. */
const formattingShareMs = 5;

/**
 * The share of the event loop that one kind of work may take, such as formatting large answers. All of
 * that work shares it: a hundred answers hold up other requests no longer than one does.
 */
export class LoopShare {
  readonly #shareMs: number;
  readonly #waiting: (() => void)[] = [];
  /** Undefined before there was any work in this turn. */
  #endsAtMs: number | undefined;

  constructor(shareMs: number) {
    this.#shareMs = shareMs;
  }

  /**
   * Returns at once while something is left of this turn's share, else resolves in a later turn, in
   * the order of the calls.
   */
  take(): Promise<void> | undefined {
    const nowMs = performance.now();
    if (this.#endsAtMs === undefined) this.#begin(nowMs);
    else if (nowMs >= this.#endsAtMs) return new Promise((resolve) => this.#waiting.push(resolve));
    return undefined;
  }

  #begin(nowMs: number): void {
    this.#endsAtMs = nowMs + this.#shareMs;
    setImmediate(() => {
      this.#endsAtMs = undefined;
      if (this.#waiting.length === 0) return;
      this.#begin(performance.now());
      this.#release();
    });
  }

  /** Resolves the waiting calls, each after the work of the previous one, while the share lasts. */
  #release(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length === 0) return;
    // A tick runs after all pending microtasks if it is requested by one of them, else before.
    queueMicrotask(() => process.nextTick(() => this.#releaseWithinShare()));
  }

  #releaseWithinShare(): void {
    if (this.#endsAtMs !== undefined && performance.now() < this.#endsAtMs) this.#release();
  }
}

/** The share that formatting answers has of this process's event loop. */
export const loopShare = new LoopShare(formattingShareMs);
