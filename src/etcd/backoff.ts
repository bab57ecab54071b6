import { setTimeout as sleep } from 'node:timers/promises';

/** First wait after a failure. */
const firstDelayMs = 50;
/** Longest wait: a store that comes back is found again within this time. */
const longestDelayMs = 2_000;

/** How long to wait before try number `attempt` (from 0), spread out so that many clients do not come back at once. */
export function backoffMs(attempt: number): number {
  const ceiling = Math.min(firstDelayMs * 2 ** attempt, longestDelayMs);
  return ceiling / 2 + (Math.random() * ceiling) / 2;
}

/** Waits; resolves early, and does not throw, when the signal aborts. */
export async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(delayMs, undefined, signal ? { signal } : undefined);
  } catch {
    // Only an abort can end a sleep early; the caller looks at its signal next.
  }
}
