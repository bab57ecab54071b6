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
      const next = this.#waiting.shift();
      if (!next) return;
      this.#begin(performance.now());
      next();
    });
  }
}

/** The share that formatting answers has of this process's event loop. */
export const loopShare = new LoopShare(formattingShareMs);
