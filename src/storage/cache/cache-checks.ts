import { pause } from '../../async/timers.ts';

/** The outcome of comparing a cache with the store; `error`: the comparison could not be made. */
export type Comparison = 'success' | 'failure' | 'error';

/** Number of comparisons of one cache by outcome. */
export type ComparisonCounts = Readonly<Record<Comparison, number>>;

/** A cache that can be compared with the store. */
export interface CheckedCache {
  /**
   * Compares the cache with the store. A cache that differs is rebuilt. Undefined if it is not
   * filled.
   */
  compare(signal: AbortSignal): Promise<Comparison | undefined>;
}

interface CacheChecksOptions {
  /** Mean time between two rounds; 0 disables the checks. */
  readonly intervalMs: number;
  /** The caches to compare in a round. */
  readonly caches: () => Iterable<CheckedCache>;
}

/**
 * Maximum pause after a round that found a mismatch. It is short, because a rebuilt cache is
 * reported as not ready until a comparison succeeds.
 */
const againAfterMs = 1_000;

/**
 * Compares caches with the store periodically, one after another (as the consistency checker of
 * kube-apiserver). A mismatch is a bug: readers may have seen wrong data. The cache is then
 * rebuilt.
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

  /** Number of comparisons that found a cache different from the store. */
  get mismatches(): number {
    return [...this.#counts.values()].reduce((sum, { failure }) => sum + failure, 0);
  }

  /** Outcomes of the comparisons of one cache. */
  countsOf(cache: CheckedCache): ComparisonCounts {
    return this.#counts.get(cache) ?? { success: 0, failure: 0, error: 0 };
  }

  /** Drops the counts of a cache that was removed. */
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
      // The pause varies by a quarter either way, so that servers started together do not read the
      // store together.
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
