/** The next look at an autoscaler. */
interface NextSync {
  readonly uid: string | undefined;
  readonly atMs: number;
}

/**
 * The times of the looks at autoscalers: each is looked at once in a period, the first time a
 * period after it was seen, and never for a change, such as that of its status by a look.
 */
export class SyncTimes {
  readonly periodMs: number;
  readonly #next = new Map<string, NextSync>();

  constructor(periodMs: number) {
    this.periodMs = periodMs;
  }

  /** The time until the next look; 0 or less: it is now, and is remembered. */
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
