import type { MaybePromise } from '../../async/maybe-promise.ts';

/** Compiles at the first call; later calls get the same result, at once when it is there. */
export function compiledOnce<Result extends object>(compile: () => MaybePromise<Result>): () => MaybePromise<Result> {
  let known: MaybePromise<Result> | undefined;
  return () => {
    if (known === undefined) {
      known = compile();
      if (known instanceof Promise) {
        // The caller gets a failure; the next call compiles again.
        known.then(
          (result) => void (known = result),
          () => void (known = undefined),
        );
      }
    }
    return known;
  };
}
