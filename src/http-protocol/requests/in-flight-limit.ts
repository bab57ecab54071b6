/** A limit of the concurrent requests of one type. */
export class InFlightLimit {
  readonly #limit: number;
  #inFlight = 0;
  /** The second of `performance.now()` that `#peak` belongs to. */
  #second = 0;
  #peak = 0;
  #lastPeak = 0;

  /** A limit of 0 is unlimited. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The number of current requests. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** The maximum number of concurrent requests in the last full second and the present one. */
  get peak(): number {
    this.#turnSecond();
    return Math.max(this.#peak, this.#lastPeak);
  }

  /** Counts a request. Returns false at the limit, unless the request is privileged. */
  tryAcquire(privileged: boolean): boolean {
    if (this.#limit > 0 && this.#inFlight >= this.#limit && !privileged) return false;
    this.#turnSecond();
    this.#inFlight++;
    if (this.#inFlight > this.#peak) this.#peak = this.#inFlight;
    return true;
  }

  /** Ends the count of an acquired request. */
  release(): void {
    this.#inFlight--;
  }

  #turnSecond(): void {
    const second = Math.trunc(performance.now() / 1_000);
    if (second === this.#second) return;
    this.#lastPeak = second === this.#second + 1 ? this.#peak : this.#inFlight;
    this.#peak = this.#inFlight;
    this.#second = second;
  }
}
