import { RetryDelays } from '../../client/queue/retry-delays.ts';

/** The delays of kube-controller-manager. */
const rate = Object.freeze({ initialMs: 10_000, maximumMs: 360_000 });

/** A Job whose pod was refused. */
interface Refusal {
  readonly untilMs: number;
  /** The state of the Job and its pods at that time. */
  readonly state: string;
}

/**
 * The times at which Jobs try again to create pods after the server refused one, unless something
 * about them changes. The delay doubles with each refusal.
 */
export class RefusalDelays {
  readonly #delays = new RetryDelays(rate);
  readonly #refusals = new Map<string, Refusal>();

  /** The time until a Job in a state may create pods, by its uid; 0 or less: now. */
  waitMs(uid: string, state: string, nowMs: number): number {
    const refusal = this.#refusals.get(uid);
    return refusal?.state === state ? refusal.untilMs - nowMs : 0;
  }

  /** Counts a refusal, and returns the time until the next attempt. */
  refuse(uid: string, state: string, nowMs: number): number {
    const delayMs = this.#delays.next(uid, nowMs);
    this.#refusals.set(uid, { untilMs: nowMs + delayMs, state });
    return delayMs;
  }

  /** Forgets the refusals of a Job whose pods were created, or that is gone. */
  forget(uid: string): void {
    this.#delays.forget(uid);
    this.#refusals.delete(uid);
  }
}
