import { ageSince } from '../../meta/human-duration.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { visibleText } from '../format-rows.ts';

/** The columns of a table that are shown. */
export interface TableOptions {
  /** A first column with the namespace. */
  readonly namespaces?: boolean;
  /** Columns of lower priority too. */
  readonly wide?: boolean;
  /** A column for each of these labels. */
  readonly labelColumns?: readonly string[];
  /** A last column with all labels. */
  readonly showLabels?: boolean;
  readonly nowMs: number;
}

/** A row, with the object that it shows, as far as the response has it. */
export interface TableRow {
  readonly cells: readonly string[];
  readonly object: JsonObject;
}

/** The rows of a response. */
interface ReadTable {
  readonly headings: readonly string[];
  readonly rows: readonly TableRow[];
}

/** The rows of a response: the rows of the server's Table, or name and age of each object. */
export function readTable(response: JsonObject, options: TableOptions): ReadTable {
  const table = response.kind === 'Table' ? serverTable(response, options) : ownTable(response, options);
  const { namespaces, labelColumns = [], showLabels } = options;
  const rows = table.rows.map(({ cells, object }) => {
    const { namespace, labels } = metadataOf(object);
    const own = isJsonObject(labels) ? labels : {};
    const shown = [
      ...(namespaces ? [cellText(namespace)] : []),
      ...cells,
      ...labelColumns.map((label) => cellText(own[label])),
      ...(showLabels ? [labelsText(own)] : []),
    ];
    return { cells: shown, object };
  });
  const headings = [
    ...(namespaces ? ['NAMESPACE'] : []),
    ...table.headings,
    ...labelColumns.map((label) => label.slice(label.lastIndexOf('/') + 1).toUpperCase()),
    ...(showLabels ? ['LABELS'] : []),
  ];
  return { headings, rows };
}

function serverTable(table: JsonObject, { wide }: TableOptions): ReadTable {
  const columns = objectsIn(table.columnDefinitions);
  const shown = (_: unknown, index: number) => wide === true || (columns[index]?.priority ?? 0) === 0;
  return {
    headings: columns.filter(shown).map(({ name }) => cellText(name).toUpperCase()),
    rows: objectsIn(table.rows).map(({ cells, object }) => ({
      cells: Array.isArray(cells) ? cells.filter(shown).map(cellText) : [],
      object: isJsonObject(object) ? object : {},
    })),
  };
}

function ownTable(response: JsonObject, { nowMs }: TableOptions): ReadTable {
  const objects = Array.isArray(response.items) ? objectsIn(response.items) : [response];
  return {
    headings: ['NAME', 'AGE'],
    rows: objects.map((object) => {
      const { name, creationTimestamp } = metadataOf(object);
      return { cells: [cellText(name), ageSince(cellText(creationTimestamp), nowMs)], object };
    }),
  };
}

function labelsText(labels: JsonObject): string {
  const pairs = Object.keys(labels)
    .toSorted()
    .map((key) => `${key}=${cellText(labels[key])}`);
  return pairs.length > 0 ? visibleText(pairs.join(',')) : '<none>';
}

function metadataOf(object: JsonObject): JsonObject {
  return isJsonObject(object.metadata) ? object.metadata : {};
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/**
 * Formats a cell: the first line of a text. Control characters are replaced, so that hostile names
 * cannot control the terminal.
 */
function cellText(value: JsonValue | undefined): string {
  const plain = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
  const end = plain.search(/[\f\n\r]/);
  return visibleText(end < 0 ? plain : `${plain.slice(0, end)}...`);
}
