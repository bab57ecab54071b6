import type { Labels, MetricFamily } from './metric-family.ts';

/** The name of a family in later releases. */
interface LaterName {
  readonly name: string;
  /** The first release with the name. */
  readonly since: string;
  readonly stability?: MetricFamily['stability'] & string;
  /** The labels, if they have other names too. */
  readonly labelNames?: readonly string[];
  readonly labels?: (labels: Labels) => Labels;
}

/** A family under a later name: it has the values of the other one, which stays. */
export function renamedFamily(family: MetricFamily, { labels = (same) => same, ...later }: LaterName): MetricFamily {
  const { help, type, merge, labelNames = [] } = family;
  return {
    help,
    type,
    ...(merge ? { merge } : {}),
    labelNames,
    ...later,
    samples: () => Array.from(family.samples(), (sample) => ({ ...sample, labels: labels(sample.labels) })),
  };
}
