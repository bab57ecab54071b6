import { formatTime, parseTime } from '../../meta/time.ts';

/** The times of the first write of an object, and of the last one that began or ended a run. */
interface WriteTimes {
  readonly firstMs: number;
  lastMs: number;
}

/**
 * Remembers when this process wrote the status of objects. Times in a status have whole seconds, so
 * that delays below a second could not be kept by them alone.
 */
export class ExactTimes {
  readonly #writes = new Map<string, WriteTimes>();

  /** Notes a write of an object; one that says how it waits has no time in it. */
  wrote(uid: string, nowMs: number, isWaiting: boolean): void {
    const known = this.#writes.get(uid);
    if (known && !isWaiting) known.lastMs = nowMs;
    if (!known) this.#writes.set(uid, { firstMs: nowMs, lastMs: nowMs });
  }

  /**
   * The time of a text in the status of an object: exact if the text is from the first or the last
   * write.
   */
  exactMs(uid: string, time: string | undefined, write: 'first' | 'last'): number {
    const writes = this.#writes.get(uid);
    const exactMs = write === 'first' ? writes?.firstMs : writes?.lastMs;
    if (exactMs !== undefined && formatTime(exactMs) === time) return exactMs;
    return parseTime(time ?? '') ?? 0;
  }

  /** Forgets an object that is gone. */
  forget(uid: string): void {
    this.#writes.delete(uid);
  }
}
