import { performance } from 'node:perf_hooks';
import type { MaybePromise } from './maybe-promise.ts';
import { nextTurn, turnLimitMs } from './next-turn.ts';

/**
 * Runs work that stops after each of its steps. When the steps have taken too long, it continues in
 * the next turn of the event loop, and the result is a promise.
 */
export function runInTurns<T>(work: Iterator<void, T>): MaybePromise<T> {
  const start = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - start > turnLimitMs) return nextTurn().then(() => runInTurns(work));
  }
}
