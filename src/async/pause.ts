import { setTimeout as sleep } from 'node:timers/promises';

/** Waits; resolves early, and does not throw, when the signal aborts. With `ref: false` a process does not stay for it. */
export async function pause(
  delayMs: number,
  signal?: AbortSignal,
  options: { readonly ref?: boolean } = {},
): Promise<void> {
  try {
    await sleep(delayMs, undefined, { ...options, ...(signal ? { signal } : {}) });
  } catch {
    // Only an abort can end a sleep early; the caller looks at its signal next.
  }
}
