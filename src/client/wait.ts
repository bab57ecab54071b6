import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, or until the signal aborts; it never throws, and the caller checks the signal. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    // Aborted: the caller sees the signal.
  }
}
