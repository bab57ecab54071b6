/**
 * Runs work on all items, at most `most` at a time. After an error no further work begins; it
 * rejects with the first one when the running work has ended.
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const errors: unknown[] = [];
  const runSome = async (): Promise<void> => {
    for (let next = rest.next(); !next.done && errors.length === 0; next = rest.next()) {
      try {
        await work(next.value);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: most }, runSome));
  if (errors.length > 0) throw errors[0];
}
