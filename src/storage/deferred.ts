/** A promise and the function that resolves it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

/** `Promise.withResolvers`, which Node 20 does not have. */
export function newDeferred<T>(): Deferred<T> {
  let resolve: ((value: T) => void) | undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  // The function given to a promise has run when the promise is there.
  if (!resolve) throw new TypeError('a promise ran nothing');
  return { promise, resolve };
}
