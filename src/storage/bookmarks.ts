import type { TimerWheel } from '../async/timer-wheel.ts';

interface BookmarkPlan {
  readonly timers: TimerWheel;
  readonly intervalMs: number;
  /** When the watch will be ended by its caller. */
  readonly timeoutMs: number;
  readonly send: () => void;
}

/** A last bookmark is sent so long before the end, for the client to resume from. */
const beforeEndMs = 2_000;

/**
 * Sends bookmarks about every interval, spread by a quarter either way so that watches opened together do not stay together,
 * and one shortly before the end. Answers how to stop.
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
