import type { Labels, MetricFamily, Sample } from './metric-family.ts';

/** The name of a family in later releases. The name may be the same and only the labels differ. */
interface LaterName {
  readonly name: string;
  /** The first release with the name. */
  readonly since: string;
  /** The first release without the name; absent: none. */
  readonly until?: string;
  readonly deprecated?: string;
  readonly stability?: MetricFamily['stability'] & string;
  /** The names of the labels, if they differ too. */
  readonly labelNames?: readonly string[];
  readonly labels?: (labels: Labels) => Labels;
}

/** A family under a later name, with the values of the original family, which is kept. */
export function renamedFamily(family: MetricFamily, later: LaterName): MetricFamily {
  const { help, type, merge, labelNames = [] } = family;
  const { labels = (same: Labels) => same, ...description } = later;
  // One label object for each series, as in the original family.
  const known = new WeakMap<Labels, Labels>();
  const labelsOf = (earlier: Labels): Labels => {
    let found = known.get(earlier);
    if (found === undefined) known.set(earlier, (found = labels(earlier)));
    return found;
  };
  return {
    help,
    type,
    ...(merge ? { merge } : {}),
    labelNames,
    ...description,
    samples: () => Array.from(family.samples(), (sample): Sample => ({ ...sample, labels: labelsOf(sample.labels) })),
  };
}
