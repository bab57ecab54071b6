/** A promise and the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** `Promise.withResolvers`, which Node 20 lacks. */
export function newDeferred<T>(): Deferred<T> {
  let settle: Pick<Deferred<T>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // The Promise constructor has called its function before it returns.
  if (!settle) throw new TypeError('a promise ran nothing');
  return { promise, ...settle };
}
