import type { MaybeAsync, MaybePromise } from '../../async/maybe-promise.ts';

/** Work that may wait for a decision of an authorizer, or for the next turn. */
export type Evaluation<Result> = MaybeAsync<void, Result>;

/** Waits for a value within such work. */
export function* awaited<Value>(value: MaybePromise<Value>): Evaluation<Value> {
  if (!(value instanceof Promise)) return value;
  const settled: Value[] = [];
  yield value.then((one) => void settled.push(one));
  return settled[0] as Value;
}
