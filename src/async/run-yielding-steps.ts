import { performance } from 'node:perf_hooks';
import { restAfter } from './next-turn.ts';

/**
 * Runs steps in order, as `runSteps` does. Steps that together take too long yield to other
 * requests. A step costs one reading of the clock, 0.2 µs.
 */
export function runYieldingSteps<T>(
  steps: readonly T[],
  run: (step: T) => Promise<void> | void,
  from = 0,
): Promise<void> | undefined {
  const start = performance.now();
  for (let index = from; index < steps.length; index++) {
    const pending = run(steps[index] as T) ?? restAfter(start);
    if (pending) return pending.then(() => runYieldingSteps(steps, run, index + 1));
  }
  return undefined;
}
