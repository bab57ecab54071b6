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

  /** Takes a token if there is one. Times must not go back. */
  tryTake(nowMs: number): boolean {
    const added = ((nowMs - this.#atMs) / 1000) * this.#rate.perSecond;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + added);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
