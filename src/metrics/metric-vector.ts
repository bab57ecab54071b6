import type { Labels, MetricDescription, MetricFamily, Sample } from './metric-family.ts';

/** The value of one series. */
interface Series {
  samples(labels: Labels): readonly Sample[];
}

/** A family whose series are found by the values of their labels. */
export interface MetricVector<Value> extends MetricFamily {
  /**
   * Returns the series with these label values, in the order of the label names; created on first
   * use. Callers on the path of every request keep the result.
   */
  with(...labelValues: readonly string[]): Value;
  forget(isGone: (labels: Labels) => boolean): void;
  /** Calls a listener when series were forgotten: callers that cached series look them up again. */
  onForget(listener: () => void): void;
}

/**
 * The maximum number of series of a family. Label values come from limited sets; this bounds the
 * series of custom resources that come and go in the life of a process. Series beyond it share one
 * that is not shown.
 */
const maxSeries = 20_000;

function vectorOf<Value extends Series>(
  description: MetricDescription,
  type: MetricFamily['type'],
  labelNames: readonly string[],
  create: () => Value,
): MetricVector<Value> {
  const known = new Map<string, { readonly labels: Labels; readonly value: Value }>();
  const hidden = create();
  const listeners: (() => void)[] = [];
  let last: { readonly labelValues: readonly string[]; readonly value: Value } | undefined;
  return {
    ...description,
    type,
    labelNames,
    with(...labelValues) {
      if (last && areSame(last.labelValues, labelValues)) return last.value;
      const key = labelValues.join('\0');
      const found = known.get(key);
      if (found) {
        // Requests come in runs, and to join the texts costs more than to compare them.
        last = { labelValues, value: found.value };
        return found.value;
      }
      if (known.size >= maxSeries) return hidden;
      const labels = Object.fromEntries(labelNames.map((name, index) => [name, labelValues[index] ?? '']));
      const value = create();
      known.set(key, { labels, value });
      return value;
    },
    *samples() {
      for (const { labels, value } of known.values()) yield* value.samples(labels);
    },
    forget(isGone) {
      last = undefined;
      for (const [key, { labels }] of known) if (isGone(labels)) known.delete(key);
      for (const listener of listeners) listener();
    },
    onForget: (listener) => void listeners.push(listener),
  };
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  for (let index = 0; index < others.length; index++) if (some[index] !== others[index]) return false;
  return some.length === others.length;
}

/** A number that grows. */
export class Counter {
  #value = 0;

  /** Adds an amount, which must not be negative. */
  add(amount = 1): void {
    this.#value += amount;
  }

  /** The value as a sample. */
  samples(labels: Labels): readonly Sample[] {
    return [{ labels, value: this.#value }];
  }
}

/** Creates a family of counters. */
export function counterVector(description: MetricDescription, labelNames: readonly string[]): MetricVector<Counter> {
  return vectorOf(description, 'counter', labelNames, () => new Counter());
}

/** A number that rises and falls. */
class Gauge {
  /** The present value. */
  value = 0;

  /** The value as a sample. */
  samples(labels: Labels): readonly Sample[] {
    return [{ labels, value: this.value }];
  }
}

/** Creates a family of gauges. */
export function gaugeVector(description: MetricDescription, labelNames: readonly string[]): MetricVector<Gauge> {
  return vectorOf(description, 'gauge', labelNames, () => new Gauge());
}

/** A distribution of values over buckets. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** The number of values in each bucket alone; the last one is unbounded. */
  readonly #counts: Float64Array;
  #sum = 0;

  /** The bounds are the inclusive upper bounds of the buckets, in ascending order. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  /** Counts a value, or the same value several times. */
  observe(value: number, times = 1): void {
    const bounds = this.#bounds;
    let index = 0;
    // Most values are in the first buckets, so that a search by halves would take longer.
    while (index < bounds.length && value > (bounds[index] ?? 0)) index++;
    this.#counts[index] = (this.#counts[index] ?? 0) + times;
    this.#sum += value * times;
  }

  /** The buckets, the sum of all values, and their number. */
  samples(labels: Labels): readonly Sample[] {
    let count = 0;
    const samples: Sample[] = [];
    this.#counts.forEach((own, index) => {
      count += own;
      const upTo = this.#bounds[index] ?? Number.POSITIVE_INFINITY;
      samples.push({ suffix: '_bucket', labels, upTo, value: count });
    });
    samples.push({ suffix: '_sum', labels, value: this.#sum }, { suffix: '_count', labels, value: count });
    return samples;
  }
}

/** Creates a family of histograms with the given bounds. */
export function histogramVector(
  description: MetricDescription,
  labelNames: readonly string[],
  bounds: readonly number[],
): MetricVector<Histogram> {
  return vectorOf(description, 'histogram', labelNames, () => new Histogram(bounds));
}

/**
 * Remembers the series of each value of a vector's last label; the other labels have the values
 * `first`. Such a look-up is faster than that by all labels. The values must be from a limited set.
 */
export function seriesByLabel<One>(vector: MetricVector<One>, ...first: readonly string[]): (value: string) => One {
  const known = new Map<string, One>();
  return (value) => {
    let series = known.get(value);
    if (series === undefined) known.set(value, (series = vector.with(...first, value)));
    return series;
  };
}
