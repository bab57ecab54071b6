import { performance } from 'node:perf_hooks';
import { restAfter } from './next-turn.ts';

/**
 * Runs steps in order, synchronously until one returns a promise. Avoiding needless microtasks
 * keeps a request's objects in the processor's caches. Steps that together take too long yield to
 * other requests. Undefined if all steps ran synchronously.
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
