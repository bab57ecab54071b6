/**
 * Computes a value once for each key object and forgets it when the key is collected. Values are
 * shared. `make` must be pure, so that this is a mere cache.
 */
export function memoize<Key extends object, Value extends object>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    let value = made.get(key);
    if (!value) made.set(key, (value = make(key)));
    return value;
  };
}

/** Returns a function that works at its first call, and returns the result at each call. */
export function once<Result extends object | void>(work: () => Result): () => Result {
  let done: { readonly result: Result } | undefined;
  return () => (done ??= { result: work() }).result;
}
