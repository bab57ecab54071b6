/** A line of a comparison: in both texts, only in the first, or only in the second. */
interface ComparedLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** Lines around each change that are shown too. */
const context = 3;

/** Texts with more changes are shown as replaced: the search costs the square of the number. */
const mostChanges = 2000;

/** The hunks of a unified diff of two texts; none if they are equal. */
export function unifiedDiff(before: string, after: string): string[] {
  const lines = compareLines(linesOf(before), linesOf(after));
  const changes = lines.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]));
  const hunks: { start: number; end: number }[] = [];
  for (const at of changes) {
    const last = hunks.at(-1);
    if (last && at - context <= last.end) last.end = at + context + 1;
    else hunks.push({ start: Math.max(0, at - context), end: at + context + 1 });
  }
  const passed: PassedLines = { one: 0, other: 0, at: 0 };
  return hunks.flatMap(({ start, end }) => hunkLines(lines, start, Math.min(end, lines.length), passed));
}

/** The lines of both texts before a place, which is moved forward from hunk to hunk. */
interface PassedLines {
  one: number;
  other: number;
  at: number;
}

function passTo(lines: readonly ComparedLine[], place: number, passed: PassedLines): void {
  for (; passed.at < place; passed.at++) {
    const sign = lines[passed.at]?.sign;
    if (sign !== '+') passed.one++;
    if (sign !== '-') passed.other++;
  }
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function hunkLines(lines: readonly ComparedLine[], start: number, end: number, passed: PassedLines): string[] {
  passTo(lines, start, passed);
  const { one, other } = passed;
  passTo(lines, end, passed);
  const hunk = lines.slice(start, end).map(({ sign, text }) => sign + text);
  return [`@@ -${range(one, passed.one - one)} +${range(other, passed.other - other)} @@`, ...hunk];
}

function range(before: number, size: number): string {
  return `${size === 0 ? before : before + 1}${size === 1 ? '' : `,${size}`}`;
}

/** The shortest way from one text to the other (Myers, 1986), after equal lines at both ends. */
function compareLines(one: readonly string[], other: readonly string[]): ComparedLine[] {
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const same = (text: string): ComparedLine => ({ sign: ' ', text });
  return [
    ...one.slice(0, start).map(same),
    ...(shortestEdits(left, right) ?? replaced(left, right)),
    ...one.slice(one.length - end).map(same),
  ];
}

function replaced(left: readonly string[], right: readonly string[]): ComparedLine[] {
  return [
    ...left.map((text) => ({ sign: '-', text }) as const),
    ...right.map((text) => ({ sign: '+', text }) as const),
  ];
}

function shortestEdits(left: readonly string[], right: readonly string[]): ComparedLine[] | undefined {
  // The furthest line of `left` that is reached on each diagonal, for each number of changes.
  const rounds: Map<number, number>[] = [];
  let reached = new Map([[1, 0]]);
  for (let changes = 0; changes <= Math.min(left.length + right.length, mostChanges); changes++) {
    rounds.push(reached);
    const next = new Map(reached);
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = furthest(reached, diagonal, changes);
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= left.length && x - diagonal >= right.length) return trace(left, right, rounds);
    }
    reached = next;
  }
  return undefined;
}

function furthest(reached: ReadonlyMap<number, number>, diagonal: number, changes: number): number {
  const [below = -1, above = -1] = [reached.get(diagonal - 1), reached.get(diagonal + 1)];
  return diagonal === -changes || (diagonal !== changes && below < above) ? above : below + 1;
}

/** Follows the rounds back from the end of both texts. */
function trace(
  left: readonly string[],
  right: readonly string[],
  rounds: readonly ReadonlyMap<number, number>[],
): ComparedLine[] {
  const lines: ComparedLine[] = [];
  let [x, y] = [left.length, right.length];
  for (let changes = rounds.length - 1; changes >= 0; changes--) {
    const reached = rounds[changes] ?? new Map<number, number>();
    const diagonal = x - y;
    const [below = -1, above = -1] = [reached.get(diagonal - 1), reached.get(diagonal + 1)];
    const isAdded = diagonal === -changes || (diagonal !== changes && below < above);
    const from = isAdded ? diagonal + 1 : diagonal - 1;
    const [fromX, fromY] = [reached.get(from) ?? 0, (reached.get(from) ?? 0) - from];
    while (x > Math.max(0, fromX) && y > Math.max(0, fromY)) {
      lines.push({ sign: ' ', text: left[--x] ?? '' });
      y--;
    }
    if (changes === 0) break;
    if (isAdded) lines.push({ sign: '+', text: right[--y] ?? '' });
    else lines.push({ sign: '-', text: left[--x] ?? '' });
  }
  return lines.toReversed();
}
