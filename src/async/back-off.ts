/** Delays between retries. */
export interface BackOffOptions {
  readonly initialMs: number;
  readonly maximumMs: number;
}

/** For a store: reconnects within two seconds after a short outage. */
export const storeBackOff: BackOffOptions = Object.freeze({ initialMs: 25, maximumMs: 1_000 });

/** The delays of client-go's reflector: short enough for a restart, long enough for an outage. */
export const clientBackOff: BackOffOptions = Object.freeze({ initialMs: 800, maximumMs: 30_000 });

/**
 * The delay before retry number `attempt`, from 0. It doubles with each consecutive failure up to
 * the maximum. A random factor between 1 and 2 keeps clients from retrying together.
 */
export function backOffMs(attempt: number, { initialMs, maximumMs }: BackOffOptions): number {
  return Math.min(initialMs * 2 ** attempt, maximumMs) * (1 + Math.random());
}
