/** How long to wait between failures. */
export interface BackOffOptions {
  readonly initialMs: number;
  readonly maximumMs: number;
}

/** For a store that is away for a moment, and is found again within two seconds when it comes back. */
export const storeBackOff: BackOffOptions = Object.freeze({ initialMs: 25, maximumMs: 1_000 });

/** What client-go's reflector uses: soon enough for a restart, slow enough for an outage. */
export const clientBackOff: BackOffOptions = Object.freeze({ initialMs: 800, maximumMs: 30_000 });

/**
 * How long to wait before try number `attempt`, from 0. Doubles with each failure in a row, up to the maximum, and is between
 * the whole and twice of that, so that many clients do not come back at once.
 */
export function backOffMs(attempt: number, { initialMs, maximumMs }: BackOffOptions): number {
  return Math.min(initialMs * 2 ** attempt, maximumMs) * (1 + Math.random());
}
