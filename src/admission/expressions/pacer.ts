import { performance } from 'node:perf_hooks';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { yieldIfLong } from '../../async/yield-if-long.ts';

/** Returns a function to call during long work: it returns a promise to await after a long turn. */
export function pacer(): () => MaybePromise<void> {
  let startMs = performance.now();
  return () => yieldIfLong(startMs)?.then(() => void (startMs = performance.now()));
}
