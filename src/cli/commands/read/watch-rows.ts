import type { JsonObject, JsonValue } from '../../../meta/json-value.ts';
import { nameOf, namespaceOf } from '../../../meta/object-meta.ts';
import { columnWidths, formatRows } from '../../format-rows.ts';
import { readTable, type TableRow } from '../../printers/table.ts';
import type { Target } from '../../targets.ts';
import type { GetRun } from './get-run.ts';
import { tableOptions, withKind } from './get-table.ts';

interface RowEvent {
  readonly type: string;
  /** A Table, of which only the first has column definitions, or an object. */
  readonly object: JsonObject;
}

/**
 * Returns a printer of the rows of a watch: in a pipe a line for each change; in a terminal, a
 * table in which the row of an object is replaced.
 */
export function eventRows(run: GetRun, target: Target): (event: RowEvent) => void {
  const { options, io } = run;
  const terminal = terminalOf(io.stdout);
  const show = terminal && !options.outputWatchEvents ? liveRows(run, terminal) : plainRows(run);
  let columns: JsonValue | undefined;
  return ({ type, object }) => {
    columns ??= object.columnDefinitions;
    const complete = object.kind === 'Table' ? { ...object, columnDefinitions: columns ?? null } : object;
    const table = readTable(complete, tableOptions(run, target));
    const rows = options.showKind ? table.rows.map((row) => withKind(run, target, row)) : table.rows;
    if (rows.length > 0) show(table.headings, rows, type);
  };
}

/** Shows rows of a change of this type. */
type ShowRows = (headings: readonly string[], rows: readonly TableRow[], type: string) => void;

/** Lines in the columns of those before them, with the type of the change if it is asked for. */
function plainRows({ options, io }: GetRun): ShowRows {
  let widths: number[] = [];
  let headed = options.noHeaders;
  return (headings, rows, type) => {
    const events = options.outputWatchEvents;
    const lines = [
      ...(headed ? [] : [events ? ['EVENT', ...headings] : headings]),
      ...rows.map(({ cells }) => (events ? [type, ...cells] : cells)),
    ];
    headed = true;
    widths = columnWidths([widths.map((width) => ' '.repeat(width)), ...lines]);
    io.stdout.write(formatRows(lines, widths));
  };
}

interface Terminal {
  readonly columns: number;
  readonly rows: number;
}

function terminalOf(stdout: object): Terminal | undefined {
  const { isTTY, columns, rows } = stdout as { isTTY?: boolean; columns?: number; rows?: number };
  // Some terminals say that they have no size.
  return isTTY ? { columns: columns || 80, rows: rows || 24 } : undefined;
}

/** Moves the cursor up by some lines, and clears from there on. */
const clearLines = (lines: number): string => (lines > 0 ? `\u001b[${lines}A\r\u001b[J` : '');

/** A table that is written again with each change; its last rows, if the terminal is too small. */
function liveRows({ options, io }: GetRun, terminal: Terminal): ShowRows {
  const kept = new Map<string, readonly string[]>();
  let written = 0;
  return (headings, rows, type) => {
    for (const { cells, object } of rows) {
      if (type === 'DELETED') kept.delete(keyOf(object));
      else kept.set(keyOf(object), cells);
    }
    const head = options.noHeaders ? [] : [headings];
    const all = [...head, ...kept.values()];
    const room = Math.max(1, terminal.rows - 1 - head.length);
    const shown = [...head, ...[...kept.values()].slice(-room)];
    const lines = formatRows(shown, columnWidths(all)).split('\n').slice(0, -1);
    // A line that wraps would move those above it.
    const fitting = lines.map((line) => line.slice(0, terminal.columns));
    io.stdout.write(`${clearLines(written)}${fitting.join('\n')}\n`);
    written = fitting.length;
  };
}

function keyOf(object: JsonObject): string {
  return `${namespaceOf(object)}/${nameOf(object)}`;
}
