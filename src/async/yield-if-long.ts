import { performance } from 'node:perf_hooks';
import { setImmediate as afterTurn } from 'node:timers/promises';

/** Work that has taken this long in one loop turn yields to other requests. */
const turnLimitMs = 20;

/**
 * A promise of the next turn of the event loop if the present work, which began at `startMs`
 * (`performance.now()`), has taken too long; undefined if it may continue. Work on large objects
 * and on many objects calls this between its steps.
 */
export function yieldIfLong(startMs: number): Promise<void> | undefined {
  return performance.now() - startMs > turnLimitMs ? nextTurn() : undefined;
}

/**
 * Resolves in the next turn of the event loop, after the callbacks that wait for the end of this
 * one.
 */
export function nextTurn(): Promise<void> {
  return afterTurn();
}
