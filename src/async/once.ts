/** Returns a function that works at its first call, and returns the result at each call. */
export function once<Result extends object | void>(work: () => Result): () => Result {
  let done: { readonly result: Result } | undefined;
  return () => (done ??= { result: work() }).result;
}
