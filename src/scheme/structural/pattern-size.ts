/**
 * A part of a pattern that a repetition can follow, with the part of its alternatives before it.
 */
interface OpenGroup {
  size: number;
  last: number;
}

/**
 * The number of characters of a pattern in which repetitions are written out: `(ab){3}` has about
 * six. The time of its compilation and the memory of the result grow with it.
 */
export function patternSize(pattern: string): number {
  const groups: OpenGroup[] = [];
  let group: OpenGroup = { size: 0, last: 0 };
  const append = (size: number): void => {
    group.size += size;
    group.last = size;
  };
  for (const [token] of pattern.matchAll(tokens)) {
    const count = repetition.exec(token);
    if (token === '(') {
      groups.push(group);
      group = { size: 0, last: 0 };
    } else if (token === ')') {
      const { size } = group;
      group = groups.pop() ?? { size, last: 0 };
      append(size + 1);
    } else if (count) {
      const times = Math.max(Number(count[1] ?? 0), Number(count[2] ?? 0));
      group.size += group.last * Math.max(0, times - 1);
      group.last *= Math.max(1, times);
    } else append(token.length);
  }
  return groups.reduce((sum, { size }) => sum + size, group.size);
}

/** Escapes, classes of characters, repetitions, and single characters. */
const tokens = /\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\{\d*,?\d*\}|[\s\S]/g;
const repetition = /^\{(\d*),?(\d*)\}$/;
