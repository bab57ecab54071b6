/**
 * Runs steps in order, and waits for those alone that take time. What needs no waiting is done in one turn: a request that gives
 * way at each step finds its objects out of the processor's caches when it goes on. Undefined where all is done.
 */
export function runSteps<T>(steps: readonly T[], run: (step: T) => Promise<void> | void): Promise<void> | undefined {
  for (const [index, step] of steps.entries()) {
    const pending = run(step);
    if (pending) return pending.then(() => runSteps(steps.slice(index + 1), run));
  }
  return undefined;
}
