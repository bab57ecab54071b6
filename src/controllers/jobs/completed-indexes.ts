/** Formats indexes as ranges: `1,3-5`. */
export function formatIndexes(indexes: Iterable<number>): string {
  const ranges: [first: number, last: number][] = [];
  for (const index of [...indexes].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && index <= last[1] + 1) last[1] = index;
    else ranges.push([index, index]);
  }
  // As in Kubernetes two neighbours are a list, three are a range.
  return ranges
    .map(([first, last]) =>
      first === last ? `${first}` : last === first + 1 ? `${first},${last}` : `${first}-${last}`,
    )
    .join(',');
}

/** Reads ranges of indexes below a limit. */
export function parseIndexes(text: string, limit: number): Set<number> {
  const indexes = new Set<number>();
  for (const range of text.split(',').filter((part) => part !== '')) {
    const [first = 0, last = first] = range.split('-').map(Number);
    for (let index = first; index <= Math.min(last, limit - 1); index++) indexes.add(index);
  }
  return indexes;
}
