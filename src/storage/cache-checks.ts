import { setTimeout as sleep } from 'node:timers/promises';

/** A cache that can be compared with the store. */
export interface CheckedCache {
  /** Whether it was found to be the store's state; undefined where nothing could be found out. A cache that is not starts anew. */
  compare(signal: AbortSignal): Promise<boolean | undefined>;
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
  #mismatches = 0;

  constructor(options: CacheChecksOptions) {
    this.#options = options;
    this.#done = options.intervalMs > 0 ? this.#run() : Promise.resolve();
  }

  /** How often a cache was not what the store had. */
  get mismatches(): number {
    return this.#mismatches;
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
      await sleep(wrong > 0 ? Math.min(againAfterMs, pauseMs) : pauseMs, undefined, { signal, ref: false }).catch(
        () => {},
      );
      wrong = 0;
      for (const cache of caches()) {
        if (signal.aborted) return;
        if ((await cache.compare(signal)) === false) wrong++;
      }
      this.#mismatches += wrong;
    }
  }
}
