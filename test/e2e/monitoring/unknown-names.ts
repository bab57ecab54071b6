import type { MonitoredQuery } from './monitored-queries.ts';

/** The names of the labels of metrics, as `/metrics` shows them: also of those without a value. */
export type KnownMetrics = ReadonlyMap<string, ReadonlySet<string>>;

/** What Prometheus adds to the series that it reads. */
const ofScrapes: readonly string[] = ['job', 'instance'];

/** Reads texts of `/metrics`. */
export function metricsInTexts(texts: readonly string[]): KnownMetrics {
  const known = new Map<string, Set<string>>([['up', new Set(ofScrapes)]]);
  for (const [, name = '', labels = ''] of texts.join('\n').matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
    const names = known.get(name) ?? new Set(ofScrapes);
    known.set(name, names);
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) names.add(label);
  }
  return known;
}

/** A text for each metric and label of queries that is not known. Metrics that may be absent are not looked at. */
export function unknownNames(
  queries: readonly MonitoredQuery[],
  known: KnownMetrics,
  mayBeAbsent: (metric: string) => boolean,
): string[] {
  const isLookedAt = (metric: string | undefined): metric is string =>
    metric !== undefined && !metric.includes(':') && !(mayBeAbsent(metric) && !known.has(metric));
  return queries.flatMap(({ place, selectors, groupedBy }) => {
    const unknown = selectors.flatMap(({ metric, labels }) => {
      if (!isLookedAt(metric)) return [];
      const has = known.get(metric);
      return has ? labels.filter((label) => !has.has(label)).map((label) => `${metric}{${label}}`) : [metric];
    });
    const isWhole = selectors.every(({ metric }) => isLookedAt(metric));
    const has = new Set(selectors.flatMap(({ metric = '' }) => [...(known.get(metric) ?? [])]));
    const ofNone = isWhole ? groupedBy.filter((label) => !has.has(label)).map((label) => `by (${label})`) : [];
    return [...unknown, ...ofNone].map((fault) => `${place}: ${fault}`);
  });
}
