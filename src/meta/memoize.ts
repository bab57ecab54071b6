/**
 * Makes what follows from an object once for each object, and forgets it with the object. What is made is shared. A cache, not
 * state: `make` answers the same for the same object.
 */
export function memoize<Key extends object, Value extends object>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    let value = made.get(key);
    if (!value) made.set(key, (value = make(key)));
    return value;
  };
}
