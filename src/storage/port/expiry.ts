/**
 * Longest delay of one timer: Node's timers are limited to about 24 days, so longer delays take
 * several.
 */
const longestWaitMs = 86_400_000;

/** A key to remove if it is still at this revision. */
export interface ExpiringKey {
  readonly key: string;
  readonly revision: number;
}

/**
 * Removes keys when their TTL ends. Grouped by second, with one timer for all that does not keep
 * the process alive.
 */
export class Expiry {
  readonly #remove: (keys: readonly ExpiringKey[]) => void;
  /** Keys by the second of the monotonic clock at which they are due. */
  readonly #due = new Map<number, ExpiringKey[]>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(remove: (keys: readonly ExpiringKey[]) => void) {
    this.#remove = remove;
  }

  /** Schedules the removal of a key: not before `ttlSeconds`, and less than two seconds later. */
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
