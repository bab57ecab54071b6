/** How long to wait between failures. */
export interface BackoffOptions {
  readonly initialMs: number;
  readonly maximumMs: number;
}

/** What client-go's reflector uses: soon enough for a restart, slow enough for an outage. */
export const defaultBackoff: BackoffOptions = Object.freeze({ initialMs: 800, maximumMs: 30_000 });

/** Delays that double with each failure in a row, between the whole and twice of it so that clients spread out. */
export interface Backoff {
  next(): number;
  reset(): void;
}

/** A fresh sequence of delays. */
export function createBackoff(options: BackoffOptions = defaultBackoff): Backoff {
  let failures = 0;
  return {
    next() {
      const base = Math.min(options.initialMs * 2 ** failures, options.maximumMs);
      failures += 1;
      return base * (1 + Math.random());
    },
    reset() {
      failures = 0;
    },
  };
}
