import type { Panel } from './panels.ts';

/** Points of a line that are kept; at a read every five seconds a quarter of an hour. */
const mostPoints = 180;

/** Lines of a panel that are drawn; the rest is one line. */
const mostLines = 6;

/** The values of a panel over time, the latest last; undefined is unknown at that time. */
export interface PanelHistory {
  readonly timesMs: readonly number[];
  readonly lines: ReadonlyMap<string, readonly (number | undefined)[]>;
}

/** A line that is drawn, with the numbers that stand beside the plot. */
export interface PanelLine {
  readonly name: string;
  readonly points: readonly (number | undefined)[];
  readonly last: number | undefined;
  readonly lowest: number | undefined;
  readonly highest: number | undefined;
}

/** Adds the values of one moment to a history. */
export function addValues(
  history: PanelHistory | undefined,
  atMs: number,
  values: ReadonlyMap<string, number>,
): PanelHistory {
  const { timesMs, lines } = history ?? { timesMs: [], lines: new Map<string, readonly (number | undefined)[]>() };
  const unknown = timesMs.map(() => undefined);
  const names = new Set([...lines.keys(), ...values.keys()]);
  const added = [...names].map((name) => {
    const points = [...(lines.get(name) ?? unknown), values.get(name)].slice(-mostPoints);
    return [name, points] as const;
  });
  // A line without a value in all of the time has ended.
  const kept = added.filter(([, points]) => points.some((point) => point !== undefined));
  return { timesMs: [...timesMs, atMs].slice(-mostPoints), lines: new Map(kept) };
}

/**
 * The lines to draw, the largest first, without those that were 0 all the time. The rest is added
 * up to one line of `others`; where values cannot be added it is left out.
 */
export function linesOf({ rules }: Panel, { lines }: PanelHistory): readonly PanelLine[] {
  const canAdd = rules.every(({ adds = true }) => adds);
  const byLabel = rules.some(({ by }) => by !== undefined);
  const all = [...lines].map(([name, points]) => lineOf(name, points));
  if (!byLabel) return all;
  const sorted = all
    .filter(({ highest = 0 }) => highest > 0)
    .toSorted((one, other) => (other.highest ?? 0) - (one.highest ?? 0) || (one.name < other.name ? -1 : 1));
  const rest = sorted.slice(mostLines);
  if (rest.length === 0 || !canAdd) return sorted.slice(0, mostLines);
  const sums = rest[0]?.points.map((_, index) => sumAt(rest, index)) ?? [];
  return [...sorted.slice(0, mostLines), lineOf(rest.length === 1 ? '1 other' : `${rest.length} others`, sums)];
}

function sumAt(lines: readonly PanelLine[], index: number): number | undefined {
  const known = lines.flatMap(({ points }) => points[index] ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}

function lineOf(name: string, points: readonly (number | undefined)[]): PanelLine {
  const known = points.filter((point) => point !== undefined);
  const [lowest, highest] = known.length === 0 ? [] : [Math.min(...known), Math.max(...known)];
  return { name, points, last: points.at(-1), lowest, highest };
}
