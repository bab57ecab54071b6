import type { JsonValue } from '../../meta/json-value.ts';
import type { TableRow } from '../server/table-feed.ts';

/** The order of a table: the index of a column, -1 for namespaces, and the direction. */
export interface Order {
  readonly column: number;
  readonly descending: boolean;
}

/** The rows that contain all words of a filter, in an order. `age` is the index of the age. */
export function sortedRows(
  rows: Iterable<TableRow>,
  filter: string,
  { column, descending }: Order,
  age: number,
): TableRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [...rows].filter(({ text }) => words.every((word) => text.includes(word)));
  const valueOf = (row: TableRow): JsonValue | undefined =>
    column < 0 ? row.namespace : column === age ? row.created : row.cells[column];
  const sign = (descending ? -1 : 1) * (column === age ? -1 : 1);
  return found.toSorted(
    (one, other) =>
      sign * compare(valueOf(one), valueOf(other)) ||
      compare(one.namespace, other.namespace) ||
      compare(one.name, other.name),
  );
}

const collator = new Intl.Collator('en', { numeric: true });

function compare(one: JsonValue | undefined, other: JsonValue | undefined): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [first = '', second = ''] = [one, other].map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value ?? ''),
  );
  return first === second ? 0 : collator.compare(first, second);
}
