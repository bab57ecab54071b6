import type { MaybePromise } from './maybe-promise.ts';

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
