import type { MaybePromise } from './maybe-promise.ts';

/** Continues with a value, at once unless it is a promise. */
export function andThen<Value, Result>(
  value: MaybePromise<Value>,
  continueWith: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(continueWith) : continueWith(value);
}
