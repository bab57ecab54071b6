/**
 * The items of pages, read until there are `limit` of them. A page may be empty although others
 * follow, as the objects in its place may be damaged.
 */
export async function itemsOfPages<T>(
  pages: AsyncIterable<{ readonly items: readonly T[] }>,
  limit = Number.POSITIVE_INFINITY,
): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const { items } of pages) {
    all.push(...items);
    if (all.length >= limit) break;
  }
  return all;
}
