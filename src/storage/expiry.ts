/** Node's timers end at about 24 days; longer waits are made of several. */
const longestWaitMs = 86_400_000;

/** A key that is to be removed, if it is still at this revision then. */
export interface ExpiringKey {
  readonly key: string;
  readonly revision: number;
}

/** Remembers when keys are to be removed, by the second, with one timer for all, which does not keep the process alive. */
export class Expiry {
  readonly #remove: (keys: readonly ExpiringKey[]) => void;
  /** By the second of the monotonic clock at whose end they are due. */
  readonly #due = new Map<number, ExpiringKey[]>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(remove: (keys: readonly ExpiringKey[]) => void) {
    this.#remove = remove;
  }

  /** Has a key removed after so many seconds and less than two more. */
  add(key: ExpiringKey, ttlSeconds: number): void {
    const second = Math.ceil(performance.now() / 1000 + ttlSeconds);
    const keys = this.#due.get(second);
    if (keys) keys.push(key);
    else this.#due.set(second, [key]);
    if (second < this.#timerAt) this.#wait(second);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#due.clear();
  }

  #wait(second: number): void {
    clearTimeout(this.#timer);
    this.#timerAt = second;
    const waitMs = Math.min(longestWaitMs, Math.max(0, second * 1000 - performance.now()));
    this.#timer = setTimeout(() => this.#expire(), waitMs).unref();
  }

  #expire(): void {
    const now = Math.floor(performance.now() / 1000);
    let next = Number.POSITIVE_INFINITY;
    for (const [second, keys] of this.#due) {
      if (second > now) {
        next = Math.min(next, second);
        continue;
      }
      this.#due.delete(second);
      this.#remove(keys);
    }
    this.#timerAt = Number.POSITIVE_INFINITY;
    if (Number.isFinite(next)) this.#wait(next);
  }
}
