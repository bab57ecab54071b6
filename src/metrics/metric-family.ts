/** Names and values of the labels of one series; the names are the same for all of a family. */
export type Labels = Readonly<Record<string, string>>;

/** The value of one series at this moment. */
export interface Sample {
  /** Behind the family's name, for families of several series each: `_sum`, `_bucket`. */
  readonly suffix?: string;
  readonly labels: Labels;
  readonly value: number;
}

/** What a family is, without its values. */
interface MetricDescription {
  /** As Prometheus demands it: `apiserver_storage_objects`. */
  readonly name: string;
  readonly help: string;
  /** How long it stays as it is (spec 9.2, 9a); undefined for what every process has. */
  readonly stability?: 'ALPHA' | 'STABLE';
}

/** A metric with all its series. */
export interface MetricFamily extends MetricDescription {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** The series as they are now. Label values must come from a bounded set, never from what clients send. */
  samples(): Iterable<Sample>;
}
