/** Labels of one series, by name; all series of a family have the same names. */
export type Labels = Readonly<Record<string, string>>;

/** The present value of one series. */
export interface Sample {
  /** Appended to the family's name, for histograms: `_sum`, `_bucket`. */
  readonly suffix?: string;
  readonly labels: Labels;
  readonly value: number;
}

/** The description of a family. */
interface MetricDescription {
  /** A valid Prometheus name: `apiserver_storage_objects`. */
  readonly name: string;
  readonly help: string;
  /** The stability level (spec 9.2, 9a); undefined for the metrics of every process. */
  readonly stability?: 'ALPHA' | 'STABLE';
}

/** A metric with all its series. */
export interface MetricFamily extends MetricDescription {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** The present values. Label values must come from a limited set, never from client input. */
  samples(): Iterable<Sample>;
}
