import type { MetricDescription, MetricFamily } from './metric-family.ts';

/**
 * A counter family made from the counts of a histogram, with its labels; observations cost nothing.
 */
export function countOfHistogram(histogram: MetricFamily, description: MetricDescription): MetricFamily {
  return {
    ...description,
    type: 'counter',
    ...(histogram.labelNames ? { labelNames: histogram.labelNames } : {}),
    *samples() {
      for (const { suffix, labels, value } of histogram.samples()) if (suffix === '_count') yield { labels, value };
    },
  };
}
