/**
 * Computes a value once for each key object and forgets it when the key is collected. Values are
 * shared. `make` must be pure, so that this is a mere cache.
 */
export function memoize<Key extends object, Value extends object | string | number | boolean>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    let value = made.get(key);
    if (value === undefined) made.set(key, (value = make(key)));
    return value;
  };
}

/** The limits of the values that `memoizeText` keeps. */
interface TextLimits {
  /** The number of values. The cache is emptied when it is full: to track their use costs more. */
  readonly most: number;
  /** The length of the longest text whose value is kept. The default is no limit. */
  readonly longest?: number;
}

/**
 * Like `memoize`, for strings, with a limit of cached ones. An undefined value is computed at each
 * call.
 */
export function memoizeText<Value>(make: (text: string) => Value, limits: TextLimits): (text: string) => Value {
  const { most, longest = Infinity } = limits;
  const made = new Map<string, NonNullable<Value>>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined) return known;
    const value = make(text);
    if (made.size >= most) made.clear();
    if (value !== undefined && value !== null && text.length <= longest) made.set(text, value);
    return value;
  };
}

/** Returns a function that works at its first call, and returns the result at each call. */
export function once<Result extends object | void>(work: () => Result): () => Result {
  let done: { readonly result: Result } | undefined;
  return () => (done ??= { result: work() }).result;
}
