import type { MetricVector } from './metric-vector.ts';

/**
 * Remembers the series of each value of a vector's last label; the other labels have the values
 * `first`. Such a look-up is faster than that by all labels. The values must be from a limited set.
 */
export function seriesByLabel<Series>(
  vector: MetricVector<Series>,
  ...first: readonly string[]
): (value: string) => Series {
  const known = new Map<string, Series>();
  return (value) => {
    let series = known.get(value);
    if (series === undefined) known.set(value, (series = vector.with(...first, value)));
    return series;
  };
}
