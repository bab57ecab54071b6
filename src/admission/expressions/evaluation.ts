import type { MaybeAsync, MaybePromise } from '../../async/maybe-promise.ts';

/** Work that may wait for an authorizer's decision or for another turn of the event loop. */
export type Evaluation<Result> = MaybeAsync<void, Result>;

/** Waits for a value inside such work. */
export function* awaited<Value>(value: MaybePromise<Value>): Evaluation<Value> {
  if (!(value instanceof Promise)) return value;
  const settled: Value[] = [];
  yield value.then((one) => void settled.push(one));
  return settled[0] as Value;
}
