import type { MaybePromise } from '../../async/maybe-promise.ts';

/** A function that compiles at its first call and caches the result. */
export interface CompiledOnce<Result extends object> {
  /** Returns the cached result if there is one. */
  (): MaybePromise<Result>;
  /** Drops the result, which takes a hundred times the memory of the source texts. */
  forget(): void;
}

/** Makes a function that compiles at its first call, and again after a failure. */
export function compiledOnce<Result extends object>(compile: () => MaybePromise<Result>): CompiledOnce<Result> {
  let known: MaybePromise<Result> | undefined;
  const settle = (pending: Promise<Result>, result: Result | undefined): void => {
    if (known === pending) known = result;
  };
  const compiled = (): MaybePromise<Result> => {
    if (known !== undefined) return known;
    const made = compile();
    known = made;
    if (made instanceof Promise) {
      // The caller gets the failure; the next call compiles again.
      made.then(
        (result) => settle(made, result),
        () => settle(made, undefined),
      );
    }
    return made;
  };
  return Object.assign(compiled, { forget: () => void (known = undefined) });
}
