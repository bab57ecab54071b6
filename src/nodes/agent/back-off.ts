/** The longest delay between two attempts, as of node agents. */
const longestMs = 300_000;

/** A container that ran for this long is restarted as if it had never crashed. */
const forgivingMs = 600_000;

/** Restarts at once before they are slowed down: each one is a write. */
const restartsAtOnce = 20;

/** The shortest time from one start to the next of a container that was restarted this often. */
const leastMs = 1_000;

/**
 * The delay before a restart, counted from 1: none before the first, then `initialMs` and twice as
 * much each time, up to five minutes. A container that runs for ten minutes starts again with none.
 * After 20 restarts there is at most one in a second, whatever the delays are.
 */
export function restartDelayMs(restart: number, initialMs: number, runMs: number): number {
  const slowMs = restart > restartsAtOnce ? Math.max(0, leastMs - runMs) : 0;
  if (restart <= 1 || runMs >= forgivingMs || initialMs === 0) return slowMs;
  return Math.max(slowMs, Math.min(longestMs, initialMs * 2 ** (restart - 2)));
}

/** The state of attempts that all fail. */
interface FailingAttempts {
  /** True for the time right after an attempt. */
  readonly failing: boolean;
  /** The time until this changes. */
  readonly waitMs: number;
}

/**
 * The state after a time of attempts, such as to pull an image: the first is made at once, the
 * delays between them double. The failure of an attempt is seen for `failingMs`, then the back-off.
 */
export function attemptsAfter(elapsedMs: number, initialMs: number, failingMs: number): FailingAttempts {
  let left = Math.max(0, elapsedMs);
  // A delay of 0 would never pass the time.
  let delayMs = Math.max(initialMs, 1);
  for (;;) {
    if (left < failingMs) return { failing: true, waitMs: failingMs - left };
    left -= failingMs;
    if (left < delayMs) return { failing: false, waitMs: delayMs - left };
    left -= delayMs;
    if (delayMs === longestMs) left %= failingMs + longestMs;
    delayMs = Math.min(longestMs, 2 * delayMs);
  }
}
