import { isDeepStrictEqual } from 'node:util';

interface LastSync {
  readonly uid: string | undefined;
  readonly spec: object;
  readonly atMs: number;
}

/**
 * The times of the last looks at autoscalers. An autoscaler changes with each look, by its status,
 * which is no reason for the next one; a change of its specification is.
 */
export class SyncTimes {
  readonly periodMs: number;
  readonly #last = new Map<string, LastSync>();

  constructor(periodMs: number) {
    this.periodMs = periodMs;
  }

  /** The time until the next look; 0 or less: it is now, and is remembered. */
  waitMs(key: string, uid: string | undefined, spec: object): number {
    const last = this.#last.get(key);
    const nowMs = performance.now();
    const isSame = last !== undefined && last.uid === uid && isDeepStrictEqual(last.spec, spec);
    const waitMs = isSame ? last.atMs + this.periodMs - nowMs : 0;
    if (waitMs <= 0) this.#last.set(key, { uid, spec, atMs: nowMs });
    return waitMs;
  }

  forget(key: string): void {
    this.#last.delete(key);
  }
}
