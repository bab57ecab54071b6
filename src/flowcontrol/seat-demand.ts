/** The demand of a level in one period, in seats. */
export interface DemandStatistics {
  /** The highest demand of the period. */
  readonly highWatermark: number;
  readonly average: number;
  readonly deviation: number;
  /** The average plus the standard deviation; falls slowly. */
  readonly smoothed: number;
}

/** The factor by which the smoothed demand decays in a period: by half in five minutes. */
const smoothing = 0.977;

/** Measures the seats that the requests of a level occupy or wait for. */
export class SeatDemand {
  #demand = 0;
  #sinceMs: number;
  #startMs: number;
  #area = 0;
  #squareArea = 0;
  #highest = 0;
  #smoothed = 0;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
    this.#startMs = nowMs;
  }

  /** Records that the demand changes at a time. */
  set(demand: number, nowMs: number): void {
    this.#integrate(nowMs);
    this.#demand = demand;
    if (demand > this.#highest) this.#highest = demand;
  }

  /** Ends a period and begins the next one. */
  endPeriod(nowMs: number): DemandStatistics {
    this.#integrate(nowMs);
    const lengthMs = nowMs - this.#startMs;
    const average = lengthMs > 0 ? this.#area / lengthMs : this.#demand;
    const variance = lengthMs > 0 ? this.#squareArea / lengthMs - average ** 2 : 0;
    const deviation = Math.sqrt(Math.max(variance, 0));
    const envelope = average + deviation;
    this.#smoothed = Math.max(envelope, smoothing * this.#smoothed + (1 - smoothing) * envelope);
    const statistics = { highWatermark: this.#highest, average, deviation, smoothed: this.#smoothed };
    this.#startMs = nowMs;
    this.#area = 0;
    this.#squareArea = 0;
    this.#highest = this.#demand;
    return statistics;
  }

  #integrate(nowMs: number): void {
    const passedMs = nowMs - this.#sinceMs;
    this.#sinceMs = nowMs;
    this.#area += this.#demand * passedMs;
    this.#squareArea += this.#demand ** 2 * passedMs;
  }
}
