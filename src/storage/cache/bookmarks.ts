import type { TimerWheel } from '../../async/timer-wheel.ts';

interface BookmarkPlan {
  readonly timers: TimerWheel;
  readonly intervalMs: number;
  /** Time until the caller ends the watch; may be infinite. */
  readonly timeoutMs: number;
  readonly send: () => void;
}

/** The last bookmark is sent this long before the end, so that the client can resume from it. */
const beforeEndMs = 2_000;

/**
 * Sends a bookmark about every interval, and one shortly before the end. Each interval varies by a
 * quarter, so that watches opened together do not send together. Returns a function that stops it.
 */
export function planBookmarks({ timers, intervalMs, timeoutMs, send }: BookmarkPlan): () => void {
  let cancelNext: (() => void) | undefined;
  const next = () => {
    cancelNext = timers.schedule(intervalMs * (0.75 + Math.random() / 2), () => {
      next();
      send();
    });
  };
  next();
  const hasLast = Number.isFinite(timeoutMs) && timeoutMs > beforeEndMs;
  const cancelLast = hasLast ? timers.schedule(timeoutMs - beforeEndMs, send) : undefined;
  return () => {
    cancelNext?.();
    cancelLast?.();
  };
}
