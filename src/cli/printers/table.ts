import { ageSince } from '../../meta/human-duration.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';

/** Rows of cells with headings. */
export interface TableRows {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * The rows of a response: the rows of the server's Table, or name and age of objects. `namespaces`
 * adds a first column with the namespace.
 */
export function readTable(
  answer: JsonObject,
  options: { readonly namespaces: boolean; readonly nowMs: number },
): TableRows {
  const table = answer.kind === 'Table' ? serverTable(answer) : ownTable(answer, options.nowMs);
  if (!options.namespaces) return { headings: table.headings, rows: table.rows };
  return {
    headings: ['NAMESPACE', ...table.headings],
    rows: table.rows.map((row, index) => [text(metadataOf(table.objects[index]).namespace), ...row]),
  };
}

/**
 * Formats left-aligned columns, three spaces apart, without trailing spaces. `widths` aligns
 * later rows of a watch with earlier ones.
 */
export function formatRows(rows: readonly (readonly string[])[], widths: readonly number[]): string {
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('   ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** The width of the widest cell of each column. */
export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return widths;
}

interface ObjectRows extends TableRows {
  readonly objects: readonly (JsonValue | undefined)[];
}

function serverTable(table: JsonObject): ObjectRows {
  const columns = objectsIn(table.columnDefinitions);
  const rows = objectsIn(table.rows);
  // Columns with a higher priority are for wide output.
  const shown = (_: unknown, index: number) => (columns[index]?.priority ?? 0) === 0;
  return {
    headings: columns.filter(shown).map(({ name }) => text(name).toUpperCase()),
    rows: rows.map(({ cells }) => (Array.isArray(cells) ? cells.filter(shown).map(text) : [])),
    objects: rows.map(({ object }) => object),
  };
}

function ownTable(answer: JsonObject, nowMs: number): ObjectRows {
  const objects = Array.isArray(answer.items) ? objectsIn(answer.items) : [answer];
  return {
    headings: ['NAME', 'AGE'],
    rows: objects.map((object) => {
      const { name, creationTimestamp } = metadataOf(object);
      return [text(name), ageSince(text(creationTimestamp), nowMs)];
    }),
    objects,
  };
}

function metadataOf(object: JsonValue | undefined): JsonObject {
  return isJsonObject(object) && isJsonObject(object.metadata) ? object.metadata : {};
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/**
 * Formats a cell. Control characters are replaced, so that hostile names cannot control the
 * terminal.
 */
function text(value: JsonValue | undefined): string {
  const plain = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
  return plain.replaceAll(/\p{Cc}/gu, '\ufffd');
}
