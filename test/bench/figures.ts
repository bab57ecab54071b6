/** Who is measured: this server, a bare program that does the least that can do the job, another API server. */
export type Contender = 'ours' | 'bare' | 'peer';

/** What one contender's part in a scenario cost. What does not apply is absent. */
export interface Figures {
  readonly operationsPerSecond?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** CPU of the measured process alone for one operation. */
  readonly cpuMicros?: number;
  /** Resident memory of the measured process; in scenarios about memory, what they say. */
  readonly residentBytes?: number;
}

/** One line of the report. */
export interface ReportRow {
  readonly scenario: string;
  readonly figures: Partial<Readonly<Record<Contender, Figures>>>;
  /** Which figure is compared, and how often the bare one it may be. */
  readonly compared: keyof Figures;
  readonly bar?: number;
  /** By how much it may exceed the bare figure. */
  readonly surplus?: number;
  readonly note?: string;
}

/** The value that a part of a sample lies below. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** The middle one of several measurements, by the figure that is compared. */
export function median(measurements: readonly Figures[], compared: keyof Figures): Figures {
  const sorted = measurements.toSorted((a, b) => (a[compared] ?? 0) - (b[compared] ?? 0));
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (!middle) throw new RangeError('nothing was measured');
  return middle;
}

/** How often the bare figure ours is. */
export function ratio({ figures, compared }: ReportRow, to: 'bare' | 'peer'): number | undefined {
  const [ours, other] = [figures.ours?.[compared], figures[to]?.[compared]];
  return ours === undefined || other === undefined ? undefined : ours / other;
}
