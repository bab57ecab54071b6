import { performance } from 'node:perf_hooks';
import type { MaybePromise } from './maybe-promise.ts';
import { nextTurn, turnLimitMs } from './next-turn.ts';

/**
 * Runs work that stops after each of its steps. When the steps have taken too long, it continues in
 * the next turn of the event loop, and the result is a promise. It also does so when `isDue`, which
 * is called after each step, says that they have cost much: a measure that no busy machine changes.
 */
export function runInTurns<T>(work: Iterator<void, T>, isDue: () => boolean = never): MaybePromise<T> {
  const start = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (isDue() || performance.now() - start > turnLimitMs) return nextTurn().then(() => runInTurns(work, isDue));
  }
}

function never(): boolean {
  return false;
}
