/** The next reconciliation of an autoscaler. */
interface NextSync {
  readonly uid: string | undefined;
  readonly atMs: number;
}

/**
 * The times at which autoscalers are reconciled: once in a period, the first time a period after
 * the controller sees an autoscaler, and not for a change, such as a change of its own status.
 */
export class SyncTimes {
  readonly periodMs: number;
  readonly #next = new Map<string, NextSync>();

  constructor(periodMs: number) {
    this.periodMs = periodMs;
  }

  /** The time until the next reconciliation; 0 or less: it is now, and is recorded. */
  waitMs(key: string, uid: string | undefined, nowMs: number): number {
    const next = this.#next.get(key);
    const isKnown = next !== undefined && next.uid === uid;
    const waitMs = isKnown ? next.atMs - nowMs : this.periodMs;
    if (!isKnown || waitMs <= 0) this.#next.set(key, { uid, atMs: nowMs + this.periodMs });
    return waitMs;
  }

  forget(key: string): void {
    this.#next.delete(key);
  }
}
