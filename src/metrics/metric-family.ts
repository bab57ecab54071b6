/** Labels of one series, by name; all series of a family have the same names. */
export type Labels = Readonly<Record<string, string>>;

/** The present value of one series, or of one line of a histogram. */
export interface Sample {
  /** Appended to the family's name, for histograms: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string;
  /** One object for all samples of a series, because its text is encoded once. */
  readonly labels: Labels;
  /** The upper bound of a bucket; only with the suffix `_bucket`. */
  readonly upTo?: number;
  readonly value: number;
}

/** The description of a family. */
export interface MetricDescription {
  /** A valid Prometheus name: `apiserver_storage_objects`. */
  readonly name: string;
  readonly help: string;
  /** The stability level (spec 9.2, 9a), by default ALPHA; none for metrics of every process. */
  readonly stability?: 'STABLE' | 'BETA' | 'none';
  /**
   * How values of several processes that serve together become one: the sum by default; the largest
   * for a gauge that is the same for all.
   */
  readonly merge?: 'largest';
  /** The first release that has the family; absent: all. */
  readonly since?: string;
  /** The first release that has the family no more, or with other labels; absent: none. */
  readonly until?: string;
  /** The release that deprecated the family, such as `1.22` (spec 9.2). */
  readonly deprecated?: string | undefined;
}

/** A metric with all its series. */
export interface MetricFamily extends MetricDescription {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** The names of the labels of each series, in their order; absent: none. */
  readonly labelNames?: readonly string[];
  /** The present values. Label values must come from a limited set, never from client input. */
  samples(): Iterable<Sample>;
  /**
   * Removes the series with such labels, such as the series of a resource that is gone. Absent for
   * a family that computes its series from present values.
   */
  forget?(isGone: (labels: Labels) => boolean): void;
}
