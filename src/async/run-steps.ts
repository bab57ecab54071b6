import { performance } from 'node:perf_hooks';
import { restAfter } from './next-turn.ts';

/**
 * Runs steps in order, and waits for those alone that take time. What needs no waiting is done in one turn: a request that gives
 * way at each step finds its objects out of the processor's caches when it goes on. Steps that together keep the turn for
 * long give way, so that other requests can run. Undefined where all is done.
 */
export function runSteps<T>(
  steps: readonly T[],
  run: (step: T) => Promise<void> | void,
  from = 0,
): Promise<void> | undefined {
  const start = performance.now();
  for (let index = from; index < steps.length; index++) {
    const pending = run(steps[index] as T) ?? restAfter(start);
    if (pending) return pending.then(() => runSteps(steps, run, index + 1));
  }
  return undefined;
}
