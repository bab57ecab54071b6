/** Items that are sorted, or merged, without asking for time. */
const itemsAtOnce = 1024;

/**
 * Sorts items stably, in many turns of the event loop. `rest` is called after at most a thousand
 * items; it returns a promise if the work must wait for another turn. Returns a new array.
 */
export async function sortYielding<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  rest: () => Promise<void> | undefined,
): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += itemsAtOnce) {
    await rest();
    runs.push(items.slice(from, from + itemsAtOnce).toSorted(compare));
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], compare, rest));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
  rest: () => Promise<void> | undefined,
): Promise<readonly T[]> {
  const merged: T[] = [];
  let [fromLeft, fromRight] = [0, 0];
  while (merged.length < left.length + right.length) {
    if (merged.length % itemsAtOnce === 0) await rest();
    const isLeft =
      fromRight === right.length ||
      (fromLeft < left.length && compare(left[fromLeft] as T, right[fromRight] as T) <= 0);
    merged.push((isLeft ? left[fromLeft++] : right[fromRight++]) as T);
  }
  return merged;
}
