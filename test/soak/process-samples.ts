import type { ProcessSample } from './monitor-event-loop.ts';

/** The samples of one minute, summed up. */
export interface MinuteSummary {
  /** Medians, in bytes. */
  readonly rss: number;
  readonly heapTotal: number;
  readonly heapUsed: number;
  readonly external: number;
  /** The longest block of the event loop in milliseconds. */
  readonly blockMs: number;
}

/** Collects what the server's process reports about itself, minute by minute. */
export class ProcessSamples {
  #minute: ProcessSample[] = [];
  readonly #minutes: MinuteSummary[] = [];

  /** The minutes that are over, the first one first. */
  get minutes(): readonly MinuteSummary[] {
    return this.#minutes;
  }

  add(sample: ProcessSample): void {
    this.#minute.push(sample);
  }

  /** Forgets the samples of the present minute, as those of a start that does not count. */
  restart(): void {
    this.#minute = [];
  }

  /** Ends a minute; undefined where nothing was reported in it. */
  endMinute(): MinuteSummary | undefined {
    const samples = this.#minute;
    this.#minute = [];
    if (samples.length === 0) return undefined;
    const summary = {
      rss: median(samples.map(({ rss }) => rss)),
      heapTotal: median(samples.map(({ heapTotal }) => heapTotal)),
      heapUsed: median(samples.map(({ heapUsed }) => heapUsed)),
      external: median(samples.map(({ external }) => external)),
      blockMs: Math.max(...samples.map(({ blockMs }) => blockMs)),
    };
    this.#minutes.push(summary);
    return summary;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >>> 1] ?? 0;
}
