/** The index of the first entry after a revision, in a list that is sorted by revision. */
export function placeAfter(entries: readonly { readonly revision: number }[], revision: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.revision ?? 0) <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}
