import type { JsonValue } from '../../meta/json-value.ts';
import { cellText, type TableRow } from '../server/table-rows.ts';

/** The order of a table: the index of a column, -1 for namespaces, and the direction. */
export interface Order {
  readonly column: number;
  readonly descending: boolean;
}

/** Texts of which every part is in order, numbers by their values. */
type SortKey = number | string;

/**
 * Sorts rows by a column, then by namespace and name. `age` is the index of the age: the youngest
 * row has the smallest one. Texts are compared by code units, in lower case, because collators take
 * a hundred times longer.
 */
export function sortedRows(rows: Iterable<TableRow>, { column, descending }: Order, age: number): TableRow[] {
  const valueOf = (row: TableRow): JsonValue | undefined =>
    column < 0 ? row.namespace : column === age ? row.created : row.cells[column];
  const sign = (descending ? -1 : 1) * (column === age ? -1 : 1);
  return Array.from(rows, (row) => ({
    row,
    key: keyOf(valueOf(row)),
    place: `${keyOf(row.namespace)}\n${keyOf(row.name)}`,
  }))
    .toSorted((one, other) => sign * compare(one.key, other.key) || compare(one.place, other.place))
    .map(({ row }) => row);
}

/** The rows that contain all words of a filter. */
export function filteredRows(rows: readonly TableRow[], filter: string): readonly TableRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? rows : rows.filter(({ text }) => words.every((word) => text.includes(word)));
}

/** Digits of numbers are aligned, so that `node-10` follows `node-9`. */
function keyOf(value: JsonValue | undefined): SortKey {
  if (typeof value === 'number') return value;
  return cellText(value)
    .toLowerCase()
    .replaceAll(/\d+/g, (digits) => digits.padStart(16, '0'));
}

/** Numbers come before texts. */
function compare(one: SortKey, other: SortKey): number {
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
