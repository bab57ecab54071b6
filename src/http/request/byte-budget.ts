/** A bound on bytes that many requests hold together. */
export class ByteBudget {
  readonly #limit: number;
  #used = 0;

  /** A limit of 0 is none. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many bytes are taken. */
  get used(): number {
    return this.#used;
  }

  /**
   * Takes bytes where there is room for them. What is larger than the limit is taken when nothing else is, so that an answer,
   * which is charged as a whole, can be sent at some time. A body is charged piece by piece, and is refused beyond the limit:
   * its pieces can cost a hundred times its bytes.
   */
  take(bytes: number): boolean {
    if (!this.hasRoomFor(bytes)) return false;
    this.#used += bytes;
    return true;
  }

  /** Whether `take` would succeed now. */
  hasRoomFor(bytes: number): boolean {
    return this.#limit === 0 || this.#used === 0 || this.#used + bytes <= this.#limit;
  }

  /** Gives back bytes that were taken. */
  release(bytes: number): void {
    this.#used -= bytes;
  }
}
