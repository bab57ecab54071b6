import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until something holds; answers whether it came to pass in time. */
export async function becomesTrue(holds: () => boolean | Promise<boolean>, timeoutMs = 30_000): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (performance.now() < end) {
    if (await holds()) return true;
    await sleep(50);
  }
  return false;
}
