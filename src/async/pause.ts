import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits. Resolves early, without an error, when the signal aborts. With `ref: false` the timer does
 * not keep the process alive.
 */
export async function pause(
  delayMs: number,
  signal?: AbortSignal,
  options: { readonly ref?: boolean } = {},
): Promise<void> {
  // Any number of pauses may end with one signal; Node would report more than ten as a leak.
  if (signal) setMaxListeners(0, signal);
  try {
    await sleep(delayMs, undefined, { ...options, ...(signal ? { signal } : {}) });
  } catch {
    // Only an abort ends the sleep early; the caller checks its signal next.
  }
}
