/** Waits for a time in which nothing happens. */
export interface QuietTimer {
  /** Something has happened: the time begins again. */
  touch(): void;
  stop(): void;
}

const ticks = 10;

/**
 * Calls `done` after `quietMs` without a touch. The time is counted in ticks of the event loop: a machine that stands still
 * in between delays what would have happened as much as the timer.
 */
export function startQuietTimer(quietMs: number, done: () => void): QuietTimer {
  let left = ticks;
  const timer = setInterval(() => {
    if (--left > 0) return;
    clearInterval(timer);
    done();
  }, quietMs / ticks);
  return { touch: () => void (left = ticks), stop: () => clearInterval(timer) };
}
