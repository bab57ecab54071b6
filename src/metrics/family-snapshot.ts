import type { MetricFamily, Sample } from './metric-family.ts';

/** The values of a family at one time, as plain data that can be sent to another process. */
export interface FamilySnapshot extends Omit<MetricFamily, 'samples' | 'forget'> {
  readonly series: readonly Sample[];
}

/** Takes the present values of a family. */
export function snapshotOf(family: MetricFamily): FamilySnapshot {
  const { name, help, stability, merge, deprecated, type, labelNames } = family;
  return {
    name,
    help,
    type,
    deprecated,
    ...(stability ? { stability } : {}),
    ...(merge ? { merge } : {}),
    ...(labelNames ? { labelNames } : {}),
    series: [...family.samples()],
  };
}

/**
 * Merges the metrics of several processes that serve together: the values of a series are added,
 * or the largest one is taken, as the family says. The families are in the order of their first
 * appearance.
 */
export function mergeSnapshots(processes: readonly (readonly FamilySnapshot[])[]): readonly MetricFamily[] {
  const merged = new Map<string, { readonly family: FamilySnapshot; readonly series: Map<string, Sample> }>();
  for (const family of processes.flat()) {
    const known = merged.get(family.name) ?? { family, series: new Map<string, Sample>() };
    merged.set(family.name, known);
    for (const sample of family.series) {
      const key = keyOf(sample);
      const earlier = known.series.get(key);
      known.series.set(key, earlier ? { ...earlier, value: mergedValue(family, earlier.value, sample.value) } : sample);
    }
  }
  return [...merged.values()].map(({ family, series }) => ({ ...family, samples: () => series.values() }));
}

function mergedValue({ merge }: FamilySnapshot, one: number, other: number): number {
  return merge === 'largest' ? Math.max(one, other) : one + other;
}

/** Labels of one family have the same names in the same order in all processes of one program. */
function keyOf({ suffix = '', labels, upTo }: Sample): string {
  return JSON.stringify([suffix, upTo === undefined ? '' : String(upTo), labels]);
}
