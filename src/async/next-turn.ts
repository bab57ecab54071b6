import type { MaybePromise } from './maybe-promise.ts';
import { performance } from 'node:perf_hooks';
import { setImmediate as afterTurn } from 'node:timers/promises';

/** Work that has run for so long lets other requests run before it goes on. */
const turnLimitMs = 20;

/**
 * A promise of the next turn of the event loop, where work has kept the present one since `startMs` (of `performance.now`) for
 * longer than it may; undefined where it can go on. Work on a large object rests between its steps.
 */
export function restAfter(startMs: number): Promise<void> | undefined {
  return performance.now() - startMs > turnLimitMs ? nextTurn() : undefined;
}

/** Goes on with work on an object, in the next turn where the present one has been kept since `startMs` for too long. */
export function continueAfter<T>(startMs: number, work: () => MaybePromise<T>): MaybePromise<T> {
  const rest = restAfter(startMs);
  return rest ? rest.then(work) : work();
}

/** Resolves in the next turn of the event loop, after what waits for the present one to end. */
export function nextTurn(): Promise<void> {
  return afterTurn();
}
