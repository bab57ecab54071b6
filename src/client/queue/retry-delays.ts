import type { TokenRate } from '../../async/token-bucket.ts';

/** The rate of retries in a queue. */
export interface RetryRate {
  /** The delay after the first failure of an item; it doubles with each one. */
  readonly initialMs: number;
  readonly maximumMs: number;
  /** The rate of retries of all items together; undefined: unlimited. */
  readonly overall?: TokenRate;
}

/** The values of client-go's controllers. */
export const controllerRetryRate: RetryRate = Object.freeze({
  initialMs: 5,
  maximumMs: 1_000_000,
  overall: Object.freeze({ perSecond: 10, burst: 100 }),
});

/** Computes the delays of retries: by the failures of an item, and the rate of all items. */
export class RetryDelays {
  readonly #rate: RetryRate;
  readonly #failures = new Map<string, number>();
  /** Tokens of the overall rate. Negative: retries that wait for tokens of the future. */
  #tokens: number;
  #atMs = 0;

  constructor(rate: RetryRate) {
    this.#rate = rate;
    this.#tokens = rate.overall?.burst ?? 0;
  }

  /** Counts a failure, and returns the delay until the next attempt. */
  next(item: string, nowMs: number): number {
    const failures = this.#failures.get(item) ?? 0;
    this.#failures.set(item, failures + 1);
    const { initialMs, maximumMs } = this.#rate;
    return Math.max(Math.min(initialMs * 2 ** failures, maximumMs), this.#overallDelay(nowMs));
  }

  /** The failures since the last success. */
  failuresOf(item: string): number {
    return this.#failures.get(item) ?? 0;
  }

  /** Forgets the failures of an item. */
  forget(item: string): void {
    this.#failures.delete(item);
  }

  #overallDelay(nowMs: number): number {
    const { overall } = this.#rate;
    if (!overall) return 0;
    const added = ((nowMs - this.#atMs) / 1000) * overall.perSecond;
    this.#tokens = Math.min(overall.burst, this.#tokens + added) - 1;
    this.#atMs = nowMs;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / overall.perSecond) * 1000;
  }
}
