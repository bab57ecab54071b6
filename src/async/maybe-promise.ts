import { performance } from 'node:perf_hooks';
import { yieldIfLong } from './yield-if-long.ts';

/** A value, or a promise of it if it takes time. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Continues with a value, at once unless it is a promise. */
export function andThen<Value, Result>(
  value: MaybePromise<Value>,
  continueWith: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(continueWith) : continueWith(value);
}

/** Work that yields values, or promises of them, and goes on with the values. */
export type MaybeAsync<Value, Result> = Generator<MaybePromise<Value>, Result, Value>;

/** Runs such work; synchronously as long as it yields no promise. */
export function runMaybeAsync<Value, Result>(work: MaybeAsync<Value, Result>): MaybePromise<Result> {
  return advance(work, work.next());
}

function advance<Value, Result>(
  work: MaybeAsync<Value, Result>,
  first: IteratorResult<MaybePromise<Value>, Result>,
): MaybePromise<Result> {
  for (let step = first; ; ) {
    if (step.done) return step.value;
    const { value } = step;
    if (value instanceof Promise) {
      return value.then(
        (settled) => advance(work, work.next(settled)),
        (error: unknown) => advance(work, work.throw(error)),
      );
    }
    step = work.next(value);
  }
}

/** The way to run steps. */
interface StepOptions {
  /** The index of the first step. */
  readonly from?: number;
  /** Steps that together take too long yield to other requests: one reading of the clock each. */
  readonly yields?: boolean;
}

/**
 * Runs steps in order, synchronously until one returns a promise. Avoiding needless microtasks
 * keeps a request's objects in the processor's caches. Undefined if all steps ran synchronously.
 */
export function runSteps<T>(
  steps: readonly T[],
  run: (step: T) => Promise<void> | void,
  { from = 0, yields = false }: StepOptions = {},
): Promise<void> | undefined {
  const start = yields ? performance.now() : 0;
  for (let index = from; index < steps.length; index++) {
    const pending = run(steps[index] as T) ?? (yields ? yieldIfLong(start) : undefined);
    if (pending) return pending.then(() => runSteps(steps, run, { from: index + 1, yields }));
  }
  return undefined;
}
