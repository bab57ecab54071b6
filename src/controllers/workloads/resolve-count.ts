import { parsePercent } from '../../meta/int-or-string.ts';

/** A count, or a percentage of a total that is rounded. */
export function resolveCount(value: number | string, total: number, round: (count: number) => number): number {
  if (typeof value === 'number') return value;
  return round(((parsePercent(value) ?? 0) * total) / 100);
}
