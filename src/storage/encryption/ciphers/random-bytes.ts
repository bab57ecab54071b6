import { randomFillSync } from 'node:crypto';

/** A read of the system's random numbers costs as much for a few bytes as for thousands. */
const pool = Buffer.alloc(4096);
let used = pool.length;

/** Fills a part of a buffer with random bytes, none of which is given out twice. */
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
