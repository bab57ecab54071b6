import type { MetricFamily } from '../metrics/metric-family.ts';
import { type Histogram, histogramVector } from '../metrics/metric-vector.ts';

/** The limits of the requests of a level. */
interface LevelLimits {
  readonly seats: number;
  /** The requests that fit into the queues of the level. */
  readonly waiting: number;
}

/** A change of the number of seats in use, or of waiting requests. */
interface LevelChange {
  readonly executing?: number;
  readonly waiting?: number;
  readonly seats?: number;
}

/** The utilization of levels over time: each value counts for the nanoseconds that it lasted. */
interface Utilization {
  /** The families for a metrics registry. */
  readonly families: readonly MetricFamily[];
  /** Returns the measurement of a level; the same one each time. */
  of(level: string): LevelUsage;
}

const nanosPerMs = 1e6;

/** The bounds of kube-apiserver. Both 0.99 and 1 are bounds, so that quantiles show saturation. */
const seatBounds = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
const requestBounds = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1];

/** Measures the use of one level, as fractions of its limits. */
class LevelUsage {
  readonly #seatParts: Histogram;
  readonly #executingParts: Histogram;
  readonly #waitingParts: Histogram;
  #limits: LevelLimits = { seats: 1, waiting: 1 };
  #seats = 0;
  #executing = 0;
  #waiting = 0;
  #sinceMs: number;

  constructor(
    parts: { readonly seats: Histogram; readonly executing: Histogram; readonly waiting: Histogram },
    nowMs: number,
  ) {
    this.#seatParts = parts.seats;
    this.#executingParts = parts.executing;
    this.#waitingParts = parts.waiting;
    this.#sinceMs = nowMs;
  }

  limit({ seats, waiting }: LevelLimits, nowMs: number): void {
    this.pass(nowMs);
    this.#limits = { seats: Math.max(1, seats), waiting: Math.max(1, waiting) };
  }

  change({ executing = 0, waiting = 0, seats = 0 }: LevelChange, nowMs: number): void {
    this.pass(nowMs);
    this.#executing += executing;
    this.#waiting += waiting;
    this.#seats += seats;
  }

  /** Records the present values for the time since the last change. */
  pass(nowMs: number): void {
    const nanos = Math.round((nowMs - this.#sinceMs) * nanosPerMs);
    this.#sinceMs = nowMs;
    if (nanos <= 0) return;
    this.#seatParts.observe(this.#seats / this.#limits.seats, nanos);
    this.#executingParts.observe(this.#executing / this.#limits.seats, nanos);
    this.#waitingParts.observe(this.#waiting / this.#limits.waiting, nanos);
  }
}

/** Creates the measurement of all levels. Reading it first records the values up to `now`. */
export function createUtilization(now: () => number): Utilization {
  const known = new Map<string, LevelUsage>();
  const seats = histogramVector(
    {
      name: 'apiserver_flowcontrol_priority_level_seat_utilization',
      help: 'Observations, at the end of every nanosecond, of the part of its seats that a level uses.',
    },
    ['phase', 'priority_level'],
    seatBounds,
  );
  const requests = histogramVector(
    {
      name: 'apiserver_flowcontrol_priority_level_request_utilization',
      help: 'Observations, at the end of every nanosecond, of the requests of a level, as a part of its limit.',
    },
    ['phase', 'priority_level'],
    requestBounds,
  );
  const upToDate = (family: MetricFamily): MetricFamily => ({
    ...family,
    samples() {
      for (const usage of known.values()) usage.pass(now());
      return family.samples();
    },
  });
  return {
    families: [upToDate(seats), upToDate(requests)],
    of(level) {
      let usage = known.get(level);
      if (!usage) {
        const parts = {
          seats: seats.with('executing', level),
          executing: requests.with('executing', level),
          waiting: requests.with('waiting', level),
        };
        known.set(level, (usage = new LevelUsage(parts, now())));
      }
      return usage;
    },
  };
}
