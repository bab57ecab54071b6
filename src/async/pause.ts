import { setTimeout as sleep } from 'node:timers/promises';
import { allowListeners } from './allow-listeners.ts';

/**
 * Waits. Resolves early, without an error, when the signal aborts. With `ref: false` the timer does
 * not keep the process alive.
 */
export async function pause(
  delayMs: number,
  signal?: AbortSignal,
  options: { readonly ref?: boolean } = {},
): Promise<void> {
  if (signal) allowListeners(signal);
  try {
    await sleep(delayMs, undefined, { ...options, ...(signal ? { signal } : {}) });
  } catch {
    // Only an abort ends the sleep early; the caller checks its signal next.
  }
}
