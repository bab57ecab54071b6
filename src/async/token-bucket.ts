/** Settings of a token bucket. */
export interface TokenRate {
  /** Tokens that are added in a second. */
  readonly perSecond: number;
  /** The most tokens that a bucket holds; it starts with these. */
  readonly burst: number;
}

/** Limits a rate: each use takes a token, and tokens come back with time. */
export class TokenBucket {
  readonly #rate: TokenRate;
  #tokens: number;
  #atMs: number;

  constructor(rate: TokenRate, nowMs: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#atMs = nowMs;
  }

  /** Takes a token if there is one. */
  tryTake(nowMs: number): boolean {
    return this.take(nowMs) === 0;
  }

  /**
   * Takes a token and returns 0, or returns the time in milliseconds until there is one. Times must
   * not go back.
   */
  take(nowMs: number): number {
    const { perSecond, burst } = this.#rate;
    this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#atMs) / 1000) * perSecond);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return Math.max(1, Math.ceil(((1 - this.#tokens) * 1000) / perSecond));
    this.#tokens -= 1;
    return 0;
  }
}
