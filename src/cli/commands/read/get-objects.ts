import type { DiscoveredResource } from '../../../client/discovery.ts';
import { formatApiVersion } from '../../../meta/group-version-kind.ts';
import { isJsonObject, type JsonObject } from '../../../meta/json-value.ts';
import { itemsOf, objectPrinter, type ObjectPrinter, readOutput, templateFile } from '../../printers/print-object.ts';
import { columnWidths, formatRows } from '../../format-rows.ts';
import type { Target } from '../../targets.ts';
import { type GetRun, reportRefusals, responses } from './get-run.ts';

/** Prints objects in the format of `-o`: one by name alone, others as the items of a List. */
export async function showObjects(run: GetRun, targets: readonly Target[]): Promise<void> {
  const { options, io } = run;
  const print = await getPrinter(run);
  const refusals: unknown[] = [];
  const objects: JsonObject[] = [];
  for (const target of targets) {
    for await (const response of responses(run, target, { accept: 'application/json', refusals })) {
      if (target.names.length > 0) objects.push(response);
      // One after the other, because a call has no room for the items of a large list.
      else for (const item of listItems(response, target.resource)) objects.push(item);
    }
  }
  const isOne = targets.length === 1 && targets[0]?.names.length === 1;
  const [only] = objects;
  if (isOne && only) io.stdout.write(print(only));
  else if (!isOne || (refusals.length === 0 && !options.ignoreNotFound)) {
    io.stdout.write(print(listOf(await sorted(objects, options.sortBy))));
  }
  reportRefusals(run, refusals);
}

/** Loads the printer of `-o`, which for `cl get` may have columns. */
export async function getPrinter({ options, io }: GetRun): Promise<ObjectPrinter> {
  const { format, argument } = readOutput(options);
  if (format !== 'custom-columns' && format !== 'custom-columns-file') {
    return objectPrinter(options, io, ['custom-columns', 'custom-columns-file', 'wide']);
  }
  const { customCells, parseColumnsFile, parseCustomColumns } = await import('../../printers/custom-columns.ts');
  const columns =
    format === 'custom-columns' ? parseCustomColumns(argument) : parseColumnsFile(await templateFile(argument, io));
  let head = options.noHeaders ? [] : [columns.map(({ heading }) => heading)];
  let widths: number[] = [];
  return (object) => {
    const rows = [...head, ...itemsOf(object).map((item) => customCells(columns, item))];
    head = [];
    widths = columnWidths([widths.map((width) => ' '.repeat(width)), ...rows]);
    return formatRows(rows, widths);
  };
}

async function sorted(objects: JsonObject[], path: string | undefined): Promise<JsonObject[]> {
  if (path === undefined) return objects;
  const { sortByPath } = await import('../../printers/sort-by-path.ts');
  return sortByPath(objects, path, (object) => object);
}

/** Items of a typed list have no type of their own (reference: wire, "Lists"). */
export function listItems(list: JsonObject, { group, version, kind }: DiscoveredResource): JsonObject[] {
  const items = Array.isArray(list.items) ? list.items.filter(isJsonObject) : [];
  const apiVersion = formatApiVersion(group, version);
  return items.map((item) => ({ apiVersion, kind, ...item }));
}

/** The `List` of command-line clients, which is not a kind of the API (spec 1). */
function listOf(items: JsonObject[]): JsonObject {
  return { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items };
}
