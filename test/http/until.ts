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
    const asked = performance.now();
    if (await condition()) return;
    // A question that is dear, to another program, is asked less often.
    await sleep(Math.min(Math.max(20, 3 * (performance.now() - asked)), 1_000));
  }
  assert.fail(`not within ${timeoutMs} ms: ${what}`);
}
