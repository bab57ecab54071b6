import type { JsonObject } from '../../../meta/json-value.ts';
import { columnWidths, formatRows } from '../../format-rows.ts';
import { readOutput } from '../../printers/print-object.ts';
import { readTable, type TableOptions, type TableRow } from '../../printers/table.ts';
import type { Target } from '../../targets.ts';
import { type GetRun, reportRefusals, responses, tableAccept } from './get-run.ts';

/** Prints the objects of each target as a table; those of one type in sequence share one. */
export async function showTables(run: GetRun, targets: readonly Target[]): Promise<void> {
  const { io, options } = run;
  const refusals: unknown[] = [];
  const groups = groupTargets(targets);
  const isMixed = options.showKind || groups.length > 1;
  let shown = 0;
  for (const group of groups) {
    const rows = await tableOf(run, group, { refusals, kinds: isMixed });
    if (rows.length === 0) continue;
    io.stdout.write((shown > 0 ? '\n' : '') + formatRows(rows, columnWidths(rows)));
    shown += 1;
  }
  if (shown === 0 && refusals.length === 0 && !options.ignoreNotFound)
    io.stderr.write(`${nothingFound(run, targets)}\n`);
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

interface TableRun {
  readonly refusals: unknown[];
  /** True: names have their type before them. */
  readonly kinds: boolean;
}

/** The rows of targets of one resource, the headings first; none if there are no objects. */
async function tableOf(run: GetRun, targets: readonly Target[], { refusals, kinds }: TableRun) {
  const { options } = run;
  const rows: TableRow[] = [];
  let headings: readonly string[] = [];
  for (const target of targets) {
    const query = options.sortBy === undefined ? {} : { includeObject: 'Object' };
    for await (const response of responses(run, target, { accept: acceptOf(run), query, refusals })) {
      const table = readTable(response, tableOptions(run, target));
      headings = table.headings;
      for (const row of table.rows) rows.push(kinds ? withKind(run, target, row) : row);
    }
  }
  const inOrder = await sorted(rows, options.sortBy);
  const head = rows.length === 0 || options.noHeaders ? [] : [headings];
  return [...head, ...inOrder.map(({ cells }) => cells)];
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
