import type { Labels, MetricFamily, Sample } from './metric-family.ts';

/** The name of a family in later releases, which may be the same with other labels. */
interface LaterName {
  readonly name: string;
  /** The first release with the name. */
  readonly since: string;
  /** The first release without it; absent: none. */
  readonly until?: string;
  readonly deprecated?: string;
  readonly stability?: MetricFamily['stability'] & string;
  /** The labels, if they have other names too. */
  readonly labelNames?: readonly string[];
  readonly labels?: (labels: Labels) => Labels;
}

/** A family under a later name: it has the values of the other one, which stays. */
export function renamedFamily(family: MetricFamily, later: LaterName): MetricFamily {
  const { help, type, merge, labelNames = [] } = family;
  const { labels = (same: Labels) => same, ...description } = later;
  // One object for all samples of a series, as in the other family.
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
