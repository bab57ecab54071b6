/** Time as the client's queues see it; tests replace it. */
export interface Clock {
  /** Milliseconds of a clock that never goes back. */
  nowMs(): number;
  /** Runs an action after a delay. Returns a function that cancels it. */
  schedule(delayMs: number, action: () => void): () => void;
}

/** The clock and the timers of the runtime. */
export const runtimeClock: Clock = Object.freeze({
  nowMs: () => performance.now(),
  schedule(delayMs: number, action: () => void) {
    const timer = setTimeout(action, Math.min(delayMs, longestTimerMs));
    return () => clearTimeout(timer);
  },
});

/** Node treats longer delays as 1 ms. A queue that wakes early waits again. */
const longestTimerMs = 2 ** 31 - 1;
