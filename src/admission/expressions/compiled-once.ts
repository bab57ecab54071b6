import type { MaybePromise } from '../../async/maybe-promise.ts';

/** A function that compiles at its first call. */
export interface CompiledOnce<Result extends object> {
  /** Later calls get the same result, at once when it is there. */
  (): MaybePromise<Result>;
  /** Forgets the result, which takes a hundred times the memory of its texts. */
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
      // The caller gets a failure; the next call compiles again.
      made.then(
        (result) => settle(made, result),
        () => settle(made, undefined),
      );
    }
    return made;
  };
  return Object.assign(compiled, { forget: () => void (known = undefined) });
}
