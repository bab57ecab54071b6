import { performance } from 'node:perf_hooks';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { yieldIfLong } from '../../async/yield-if-long.ts';

/** Returns a function for pauses of long work: a promise of the next turn if this one took long. */
export function pacer(): () => MaybePromise<void> {
  let startMs = performance.now();
  return () => yieldIfLong(startMs)?.then(() => void (startMs = performance.now()));
}
