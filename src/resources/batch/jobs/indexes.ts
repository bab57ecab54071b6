/** The number of indexes in a text such as `1,3-5`, or the error of an invalid text. */
type ParsedIndexes = { readonly count: number } | { readonly error: string };

/** Parses ranges of indexes below `completions`, in increasing order. */
export function parseIndexRanges(text: string, completions: number): ParsedIndexes {
  let [count, last] = [0, -1];
  for (const part of text === '' ? [] : text.split(',')) {
    const range = parseRange(part, completions);
    if ('error' in range) return range;
    if (last >= range.first) return { error: `non-increasing order, previous: ${last}, current: ${range.first}` };
    count += range.last - range.first + 1;
    last = range.last;
  }
  return { count };
}

/** The first index that two texts have in common. Invalid ranges are skipped. */
export function commonIndex(one: string, other: string, completions: number): number | undefined {
  const [left, right] = [rangesOf(one, completions), rangesOf(other, completions)];
  for (let [i, j] = [0, 0]; ; ) {
    const [a, b] = [left[i], right[j]];
    if (!a || !b) return undefined;
    if (a.first <= b.last && b.first <= a.last) return Math.max(a.first, b.first);
    if (a.first <= b.first) i++;
    else j++;
  }
}

interface IndexRange {
  readonly first: number;
  readonly last: number;
}

function rangesOf(text: string, completions: number): readonly IndexRange[] {
  return (text === '' ? [] : text.split(',')).flatMap((part) => {
    const range = parseRange(part, completions);
    return 'error' in range ? [] : [range];
  });
}

function parseRange(part: string, completions: number): IndexRange | { readonly error: string } {
  const limits = part.split('-');
  if (limits.length > 2) {
    const rule = "violates the requirement that an index interval can have at most two parts separated by '-'";
    return { error: `the fragment ${JSON.stringify(part)} ${rule}` };
  }
  for (const limit of limits) {
    if (!/^\d+$/.test(limit)) return { error: `cannot convert string to integer for index: ${JSON.stringify(limit)}` };
    if (Number(limit) >= completions) return { error: `too large index: ${JSON.stringify(limit)}` };
  }
  const [first = 0, last = first] = limits.map(Number);
  if (limits.length === 2 && first >= last) {
    return { error: `non-increasing order, previous: ${first}, current: ${last}` };
  }
  return { first, last };
}
