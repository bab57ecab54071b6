/** Limits a rate, with bursts after a time of rest. */
export class TokenBucket {
  readonly #qps: number;
  readonly #burst: number;
  #tokens: number;
  #atMs = performance.now();

  constructor({ qps, burst }: { readonly qps: number; readonly burst: number }) {
    this.#qps = qps;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** Takes a token and returns 0, or returns the time in milliseconds until there is one. */
  take(): number {
    const nowMs = performance.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((nowMs - this.#atMs) * this.#qps) / 1000);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return Math.max(1, Math.ceil(((1 - this.#tokens) * 1000) / this.#qps));
    this.#tokens -= 1;
    return 0;
  }
}
