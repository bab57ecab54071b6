/** The percentage in a text such as `25%`; undefined for any other text. */
export function parsePercent(text: string): number | undefined {
  return /^[0-9]{1,9}%$/.test(text) ? Number(text.slice(0, -1)) : undefined;
}

/** A count, or a percentage of a total that is rounded. */
export function resolveCount(value: number | string, total: number, round: (count: number) => number): number {
  if (typeof value === 'number') return value;
  return round(((parsePercent(value) ?? 0) * total) / 100);
}
