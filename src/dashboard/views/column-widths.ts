import type { Column } from '../server/table-feed.ts';
import { cellText, type TableRow } from '../server/table-rows.ts';

/** A column that is shown, and its index in the cells of a row. */
interface ShownColumn {
  readonly column: Column;
  readonly index: number;
}

/** Rows that widths are taken from. */
const measuredRows = 500;

/** Limits of widths in characters, with the room between columns. */
const limits = {
  wide: { narrowest: 7, namespace: 30, first: 60, other: 60, room: 3 },
  /** Cells have two lines here. The namespace, the name and two short columns fit on 400 pixels. */
  narrow: { narrowest: 4, namespace: 9, first: 16, other: 12, room: 2 },
} as const;

/** The widths of the columns of a table in characters, by their indexes; -1 is the namespace. */
export function columnWidths(
  rows: readonly TableRow[],
  shown: readonly ShownColumn[],
  size: keyof typeof limits,
): ReadonlyMap<number, number> {
  const { narrowest, namespace, first, other, room } = limits[size];
  const measured = rows.slice(0, measuredRows);
  const widthOf = (heading: string, most: number, textOf: (row: TableRow) => string): number =>
    // The order of a column is shown beside its name.
    Math.max(heading.length + 1, Math.min(most, Math.max(narrowest, ...measured.map((row) => textOf(row).length)))) +
    room;
  return new Map([
    [-1, widthOf('Namespace', namespace, (row) => row.namespace)],
    ...shown.map(({ column, index }, position): [number, number] => [
      index,
      widthOf(column.name, position === 0 ? first : other, ({ cells }) => cellText(cells[index])),
    ]),
  ]);
}
