import { randomFillSync } from 'node:crypto';

/** A pool of random bytes: a system call costs the same for a few bytes as for thousands. */
const pool = Buffer.alloc(4096);
let used = pool.length;

/** Fills a part of a buffer with random bytes, each of which is used only once. */
export function fillRandom(target: Buffer, start: number, end: number): void {
  const length = end - start;
  if (used + length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  pool.copy(target, start, used, used + length);
  pool.fill(0, used, used + length);
  used += length;
}
