import type { MaybePromise } from './maybe-promise.ts';
import { performance } from 'node:perf_hooks';
import { setImmediate as afterTurn } from 'node:timers/promises';

/** Work that has taken this long in one loop turn yields to other requests. */
export const turnLimitMs = 20;

/**
 * A promise of the next turn of the event loop if the present work, which began at `startMs`
 * (`performance.now()`), has taken too long; undefined if it may continue. Work on large objects
 * calls this between its steps.
 */
export function restAfter(startMs: number): Promise<void> | undefined {
  return performance.now() - startMs > turnLimitMs ? nextTurn() : undefined;
}

/** Continues work on an object; in the next loop turn if it has taken too long since `startMs`. */
export function continueAfter<T>(startMs: number, work: () => MaybePromise<T>): MaybePromise<T> {
  const rest = restAfter(startMs);
  return rest ? rest.then(work) : work();
}

/**
 * Resolves in the next turn of the event loop, after the callbacks that wait for the end of this
 * one.
 */
export function nextTurn(): Promise<void> {
  return afterTurn();
}
