import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until a condition holds; fails with what was waited for. The limit is for a machine that is slow and busy, and
 * costs nothing where the condition comes to hold.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 120_000,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (performance.now() < end) {
    if (await condition()) return;
    await sleep(20);
  }
  assert.fail(`not within ${timeoutMs} ms: ${what}`);
}
