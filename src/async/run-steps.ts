/**
 * Runs steps in order, synchronously until one returns a promise. Avoiding needless microtasks
 * keeps a request's objects in the processor's caches. Undefined if all steps ran synchronously.
 * For short steps: it does not yield between them, as `runYieldingSteps` does.
 */
export function runSteps<T>(
  steps: readonly T[],
  run: (step: T) => Promise<void> | void,
  from = 0,
): Promise<void> | undefined {
  for (let index = from; index < steps.length; index++) {
    const pending = run(steps[index] as T);
    if (pending) return pending.then(() => runSteps(steps, run, index + 1));
  }
  return undefined;
}
