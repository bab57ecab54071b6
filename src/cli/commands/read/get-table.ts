import type { JsonObject } from '../../../meta/json-value.ts';
import { columnWidths, formatRows } from '../../format-rows.ts';
import { readOutput } from '../../printers/print-object.ts';
import { readTable, type TableOptions, type TableRow } from '../../printers/table.ts';
import type { Target } from '../../targets.ts';
import { type GetRun, reportRefusals, responses, tableAccept } from './get-run.ts';

/** Prints the objects of each target as a table; consecutive targets of one type share a table. */
export async function showTables(run: GetRun, targets: readonly Target[]): Promise<void> {
  const { io, options } = run;
  const refusals: unknown[] = [];
  const tables: TypeTable[] = [];
  for (const group of groupTargets(targets)) tables.push(await readTables(run, group, refusals));
  // Types of which no object was found do not count.
  const kinds = options.showKind || tables.filter(({ isAnswered }) => isAnswered).length > 1;
  const texts = tables.filter(({ rows }) => rows.length > 0).map((table) => tableText(run, table, kinds));
  io.stdout.write(texts.join(options.noHeaders ? '' : '\n'));
  if (texts.length === 0 && refusals.length === 0 && !options.ignoreNotFound) {
    io.stderr.write(`${nothingFound(run, targets)}\n`);
  }
  reportRefusals(run, refusals);
}

/** Targets of one resource that follow each other. */
function groupTargets(targets: readonly Target[]): Target[][] {
  const groups: Target[][] = [];
  for (const target of targets) {
    const last = groups.at(-1);
    const previous = last?.[0]?.resource;
    if (last && previous?.resource === target.resource.resource && previous.group === target.resource.group)
      last.push(target);
    else groups.push([target]);
  }
  return groups;
}

/** The rows of one type. */
interface TypeTable {
  readonly target: Target;
  readonly headings: readonly string[];
  readonly rows: readonly TableRow[];
  /** False if the server refused each object. */
  readonly isAnswered: boolean;
}

/** Reads the rows of targets of one resource. */
async function readTables(run: GetRun, targets: readonly Target[], refusals: unknown[]): Promise<TypeTable> {
  const { options } = run;
  const rows: TableRow[] = [];
  let headings: readonly string[] | undefined;
  for (const target of targets) {
    const query = options.sortBy === undefined ? {} : { includeObject: 'Object' };
    for await (const response of responses(run, target, { accept: acceptOf(run), query, refusals })) {
      const table = readTable(response, tableOptions(run, target));
      ({ headings } = table);
      for (const row of table.rows) rows.push(row);
    }
  }
  const [target] = targets;
  if (!target) throw new TypeError('a group of targets is empty');
  const inOrder = await sorted(rows, options.sortBy);
  return { target, headings: headings ?? [], rows: inOrder, isAnswered: headings !== undefined };
}

function tableText(run: GetRun, { target, headings, rows }: TypeTable, kinds: boolean): string {
  const shown = (kinds ? rows.map((row) => withKind(run, target, row)) : rows).map(({ cells }) => cells);
  const lines = run.options.noHeaders ? shown : [headings, ...shown];
  return formatRows(lines, columnWidths(lines));
}

/** The media type of rows, unless the client makes them. */
export function acceptOf({ options }: GetRun): string {
  return options.serverPrint ? tableAccept : 'application/json';
}

/** The columns that the flags ask for. */
export function tableOptions({ options }: GetRun, { resource }: Target): TableOptions {
  return {
    namespaces: options.allNamespaces && resource.namespaced,
    wide: readOutput(options).format === 'wide',
    labelColumns: options.labelColumns,
    showLabels: options.showLabels,
    nowMs: Date.now(),
  };
}

/** A row with the type before its name: `pod/a`, `deployment.apps/b`. */
export function withKind(run: GetRun, target: Target, row: TableRow): TableRow {
  const { kind, group } = target.resource;
  const at = tableOptions(run, target).namespaces ? 1 : 0;
  const prefix = `${kind.toLowerCase()}${group && `.${group}`}/`;
  return { ...row, cells: row.cells.map((cell, index) => (index === at ? prefix + cell : cell)) };
}

async function sorted(rows: readonly TableRow[], path: string | undefined): Promise<readonly TableRow[]> {
  if (path === undefined) return rows;
  const { sortByPath } = await import('../../printers/sort-by-path.ts');
  return sortByPath(rows, path, ({ object }): JsonObject => object);
}

function nothingFound({ client, options }: GetRun, targets: readonly Target[]): string {
  const isNamespaced = !options.allNamespaces && targets.every(({ resource }) => resource.namespaced);
  return isNamespaced ? `No resources found in ${client.settings.namespace} namespace.` : 'No resources found';
}
