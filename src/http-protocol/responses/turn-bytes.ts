/** A writer that waits for its turn. */
interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/**
 * A limit of the bytes that all large responses together write in one turn of the event loop, most
 * of whose time is encryption. A hundred large lists delay a small request no longer than one does.
 */
export class TurnBytes {
  readonly #limit: number;
  readonly #waiting: Waiting[] = [];
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Returns undefined if bytes are left in this turn: the caller writes at once. Otherwise returns
   * a promise that resolves in a later turn, in the order of the calls. The last write of a turn
   * may exceed the limit.
   */
  take(bytes: number): Promise<void> | undefined {
    if (this.#taken === 0) setImmediate(() => this.#nextTurn());
    if (this.#taken < this.#limit && this.#waiting.length === 0) {
      this.#taken += bytes;
      return undefined;
    }
    return new Promise((begin) => this.#waiting.push({ bytes, begin }));
  }

  #nextTurn(): void {
    this.#taken = 0;
    if (this.#waiting.length > 0) setImmediate(() => this.#nextTurn());
    while (this.#taken < this.#limit) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#taken += next.bytes;
      next.begin();
    }
  }
}
