import { pause } from '../async/pause.ts';

/** What came of comparing a cache with the store: `error` where nothing could be found out. */
export type Comparison = 'success' | 'failure' | 'error';

/** How often each came out, for one cache. */
export type ComparisonCounts = Readonly<Record<Comparison, number>>;

/** A cache that can be compared with the store. */
export interface CheckedCache {
  /** Compares it; one that was wrong starts anew. Undefined where there is nothing to compare. */
  compare(signal: AbortSignal): Promise<Comparison | undefined>;
}

interface CacheChecksOptions {
  /** Mean time between two rounds; 0 makes none. */
  readonly intervalMs: number;
  /** The caches to compare in this round. */
  readonly caches: () => Iterable<CheckedCache>;
}

/** A cache that was wrong is compared again so soon, for until then it is not believed. */
const againAfterMs = 1_000;

/**
 * Compares caches with the store from time to time, one after the other (reference: promises, P25). It should never find
 * anything; when it does, readers have been told wrong things until now, but are no longer.
 */
export class CacheChecks {
  readonly #options: CacheChecksOptions;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  readonly #counts = new Map<CheckedCache, Record<Comparison, number>>();

  constructor(options: CacheChecksOptions) {
    this.#options = options;
    this.#done = options.intervalMs > 0 ? this.#run() : Promise.resolve();
  }

  /** How often a cache was not what the store had. */
  get mismatches(): number {
    return [...this.#counts.values()].reduce((sum, { failure }) => sum + failure, 0);
  }

  /** What came of the comparisons of one cache until now. */
  countsOf(cache: CheckedCache): ComparisonCounts {
    return this.#counts.get(cache) ?? { success: 0, failure: 0, error: 0 };
  }

  /** Forgets a cache that is no more. */
  forget(cache: CheckedCache): void {
    this.#counts.delete(cache);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { intervalMs, caches } = this.#options;
    const { signal } = this.#stop;
    let wrong = 0;
    while (!signal.aborted) {
      // Spread by half, so that servers started together do not read the store together.
      const pauseMs = intervalMs * (0.75 + Math.random() / 2);
      await pause(wrong > 0 ? Math.min(againAfterMs, pauseMs) : pauseMs, signal, { ref: false });
      wrong = 0;
      for (const cache of caches()) {
        if (signal.aborted) return;
        const comparison = await cache.compare(signal);
        if (comparison === 'failure') wrong++;
        if (comparison) this.#count(cache, comparison);
      }
    }
  }

  #count(cache: CheckedCache, comparison: Comparison): void {
    const counts = this.#counts.get(cache) ?? { success: 0, failure: 0, error: 0 };
    counts[comparison]++;
    this.#counts.set(cache, counts);
  }
}
