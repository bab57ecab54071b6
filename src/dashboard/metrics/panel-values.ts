import { groupBy } from '../../meta/group-by.ts';
import { type LineRule, type Panel, sampleName } from './panels.ts';
import type { Sample, Samples } from './parse-metrics.ts';

/** One response of `/metrics`. */
export interface Scrape {
  readonly atMs: number;
  readonly samples: Samples;
}

/**
 * The value of each line of a panel at a response; `before` is the one before it, without which
 * rates and quantiles are unknown. Undefined if the server has none of the families.
 */
export function panelValues(
  panel: Panel,
  now: Scrape,
  before: Scrape | undefined,
): ReadonlyMap<string, number> | undefined {
  const used = panel.rules.flatMap((rule) => {
    const family = rule.family.find((name) => now.samples.has(sampleName(name, rule.mode)));
    return family === undefined ? [] : [{ rule, name: sampleName(family, rule.mode) }];
  });
  if (used.length === 0) return undefined;
  const values = new Map<string, number>();
  const previous = before && startOf(before) === startOf(now) ? before : undefined;
  for (const { rule, name } of used) {
    const lines = groupBy(wanted(now.samples.get(name), rule), (sample) => lineName(rule, sample));
    const known = new Map(previous?.samples.get(name)?.map(({ key, value }) => [key, value]));
    for (const [line, samples] of lines) {
      const value = valueOf(rule, samples, previous && { known, seconds: (now.atMs - previous.atMs) / 1000 });
      if (value !== undefined && Number.isFinite(value)) values.set(line, value);
    }
  }
  return values;
}

/** A server that was started again counts from 0. */
function startOf({ samples }: Scrape): number | undefined {
  return samples.get('process_start_time_seconds')?.[0]?.value;
}

function wanted(samples: readonly Sample[] | undefined, { only = {} }: LineRule): readonly Sample[] {
  const rules = Object.entries(only);
  return (samples ?? []).filter(({ labels }) => rules.every(([name, pattern]) => pattern.test(labels[name] ?? '')));
}

function lineName({ by, name = '' }: LineRule, { labels }: Sample): string {
  return by === undefined ? name : `${name}${labels[by] || 'other'}`;
}

interface Previous {
  readonly known: ReadonlyMap<string, number>;
  readonly seconds: number;
}

function valueOf({ mode }: LineRule, samples: readonly Sample[], previous: Previous | undefined): number | undefined {
  if (mode === 'gauge') return samples.reduce((sum, { value }) => sum + value, 0);
  if (!previous || previous.seconds <= 0) return undefined;
  if (mode === 'rate') return samples.reduce((sum, sample) => sum + growth(sample, previous), 0) / previous.seconds;
  return quantileOf(mode.quantile, samples, previous);
}

/** A new series has grown from 0. One that fell lost a worker, which is no growth. */
function growth({ key, value }: Sample, { known }: Previous): number {
  return Math.max(0, value - (known.get(key) ?? 0));
}

/**
 * The value that a share of the new observations does not exceed, taken as even within a bucket.
 * Undefined without new observations. Above the last limit it is that limit.
 */
function quantileOf(quantile: number, samples: readonly Sample[], previous: Previous): number | undefined {
  const counts = new Map<number, number>();
  for (const sample of samples) {
    const limit = sample.labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(sample.labels['le']);
    counts.set(limit, (counts.get(limit) ?? 0) + growth(sample, previous));
  }
  const buckets = [...counts].toSorted(([one], [other]) => one - other);
  const all = buckets.at(-1)?.[1] ?? 0;
  if (all === 0) return undefined;
  const rank = quantile * all;
  let below = { limit: 0, count: 0 };
  for (const [limit, count] of buckets) {
    if (count >= rank) {
      if (!Number.isFinite(limit)) return below.limit;
      const inside = count - below.count;
      return below.limit + (limit - below.limit) * (inside === 0 ? 1 : (rank - below.count) / inside);
    }
    below = { limit, count };
  }
  return below.limit;
}
