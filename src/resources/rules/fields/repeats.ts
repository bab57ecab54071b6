/**
 * The indices of items that repeat an earlier item. Two items are the same if `identityOf` returns
 * the same value for both.
 */
export function repeatsOf<Item>(
  items: readonly Item[],
  identityOf: (item: Item) => unknown = (item) => item,
): ReadonlySet<number> {
  const seen = new Set<unknown>();
  const repeats = new Set<number>();
  for (const [index, item] of items.entries()) {
    const identity = identityOf(item);
    if (seen.has(identity)) repeats.add(index);
    else seen.add(identity);
  }
  return repeats;
}
