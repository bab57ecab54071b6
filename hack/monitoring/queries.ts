/** Selects the series of the chosen processes. */
export const chosen = 'job="$job",instance=~"$instance"';

/** Selects series of the chosen processes whose other labels match. */
function selectorOf(labels: string): string {
  return labels === '' ? `{${chosen}}` : `{${chosen},${labels}}`;
}

/** The series of a gauge. */
export function series(metric: string, labels = ''): string {
  return `${metric}${selectorOf(labels)}`;
}

/** The rate of a counter in each second. */
export function rate(metric: string, labels = ''): string {
  return `rate(${series(metric, labels)}[$__rate_interval])`;
}

/** Sums by labels; '' sums all. */
export function sumBy(by: string, expression: string): string {
  return by === '' ? `sum(${expression})` : `sum by (${by}) (${expression})`;
}

/** The largest series, for panels whose labels have many values. */
export function top(count: number, expression: string): string {
  return `topk(${count}, ${expression} > 0)`;
}

/** A quantile of a histogram, by labels. */
export function quantile(share: number, histogram: string, by: string, labels = ''): string {
  const groups = by === '' ? 'le' : `le, ${by}`;
  return `histogram_quantile(${share}, ${sumBy(groups, rate(`${histogram}_bucket`, labels))})`;
}

/** The mean of a histogram, by labels. */
export function mean(histogram: string, by: string, labels = ''): string {
  return `${sumBy(by, rate(`${histogram}_sum`, labels))} / ${sumBy(by, rate(`${histogram}_count`, labels))}`;
}
