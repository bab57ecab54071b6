import { performance } from 'node:perf_hooks';
import type { MaybePromise } from './maybe-promise.ts';
import { restAfter } from './next-turn.ts';

/**
 * Makes a function that runs the steps of one piece of work: in the next turn of the event loop if
 * the steps since the last turn have taken too long. For work of many steps of which none takes
 * long.
 */
export function continueInTurns(): <T>(step: () => MaybePromise<T>) => MaybePromise<T> {
  let start = performance.now();
  return (step) =>
    restAfter(start)?.then(() => {
      start = performance.now();
      return step();
    }) ?? step();
}
