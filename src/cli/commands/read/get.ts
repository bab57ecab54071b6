import type { Invocation } from '../../command.ts';
import type { getFlags } from './flags.ts';
import type { Client } from '../../../client/client.ts';
import type { DiscoveredResource } from '../../../client/discovery.ts';
import { readLines } from '../../../client/read-lines.ts';
import { resourcePath } from '../../../client/resource-path.ts';
import { StatusError } from '../../../client/status-error.ts';
import { identifierSets, identifiersOf } from '../../../identifiers/identifiers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import { withClient } from '../../connect.ts';
import { printJson, printYaml, objectName } from '../../printers/json.ts';
import { columnWidths, formatRows, readTable, type TableRows } from '../../printers/table.ts';
import { readTargets, type Target } from '../../targets.ts';

/** `cl get`: shows objects; with `-w` also their changes. */
export async function get({ words, options, io }: Invocation<typeof getFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const targets = await readTargets({ client, options, io }, words);
    if (options.watch) await watch({ client, options, io }, targets);
    else if (options.output === undefined) await showTables({ client, options, io }, targets);
    else await showObjects({ client, options, io }, targets);
  });
}

interface Run {
  readonly client: Client;
  readonly options: Invocation<typeof getFlags>['options'];
  readonly io: CliIo;
}

const pageLimit = 500;

/** Accepts the media type with either set of identifiers, because the server's set is unknown. */
const tableAccept = [
  ...identifierSets.map((set) => `application/json;as=Table;v=v1;g=meta.${identifiersOf(set).apiDomain}`),
  'application/json;q=0.9',
].join(',');

function namespaceOf({ client, options }: Run, { resource }: Target): string | undefined {
  return resource.namespaced && !options.allNamespaces ? client.settings.namespace : undefined;
}

/** The responses for a target: one for each name, or the pages of the collection. */
async function* answers(run: Run, target: Target, accept: string): AsyncIterable<JsonObject> {
  const { client, options, io } = run;
  const namespace = namespaceOf(run, target);
  const fetchOne = async (path: string, query?: Record<string, string | number | undefined>) => {
    const value = client.codec.parse(
      await client.transport.request({ method: 'GET', path, query, accept, signal: io.signal }),
    );
    // A successful read returns an object or a list.
    return value as JsonObject;
  };
  if (target.names.length > 0) {
    if (options.selector) throw new CliError('names and -l cannot be used together');
    if (options.allNamespaces && target.resource.namespaced) {
      throw new CliError('names and -A cannot be used together', { hint: 'set the namespace with -n' });
    }
    for (const name of target.names) yield fetchOne(resourcePath(target.resource, { namespace, name }));
    return;
  }
  const path = resourcePath(target.resource, { namespace });
  for (let token: string | undefined; ; ) {
    const page = await fetchOne(path, { limit: pageLimit, continue: token, labelSelector: options.selector });
    yield page;
    const next = isJsonObject(page.metadata) ? page.metadata.continue : undefined;
    if (typeof next !== 'string' || next === '') return;
    token = next;
  }
}

async function showTables(run: Run, targets: readonly Target[]): Promise<void> {
  const { options, io } = run;
  let shown = 0;
  for (const target of targets) {
    const rows: (readonly string[])[] = [];
    let headings: readonly string[] = [];
    for await (const answer of answers(run, target, tableAccept)) {
      const table = readTable(answer, { namespaces: namespacesShown(options, target.resource), nowMs: Date.now() });
      headings = table.headings;
      rows.push(...table.rows);
    }
    if (rows.length === 0) continue;
    const all = [headings, ...(targets.length > 1 ? rows.map((row) => qualify(row, target, options)) : rows)];
    io.stdout.write((shown > 0 ? '\n' : '') + formatRows(all, columnWidths(all)));
    shown += 1;
  }
  if (shown === 0) io.stderr.write(`${nothingFound(run, targets)}\n`);
}

/** Adds the resource type to names if several types are shown. */
function qualify(
  row: readonly string[],
  { resource }: Target,
  options: Invocation<typeof getFlags>['options'],
): readonly string[] {
  const at = namespacesShown(options, resource) ? 1 : 0;
  return row.map((cell, index) => (index === at ? objectName(resource, cell) : cell));
}

function namespacesShown(options: Invocation<typeof getFlags>['options'], resource: DiscoveredResource): boolean {
  return options.allNamespaces && resource.namespaced;
}

function nothingFound({ client, options }: Run, targets: readonly Target[]): string {
  const namespaced = targets.some(({ resource }) => resource.namespaced) && !options.allNamespaces;
  return namespaced ? `No resources found in namespace "${client.settings.namespace}".` : 'No resources found.';
}

async function showObjects(run: Run, targets: readonly Target[]): Promise<void> {
  const { options, io } = run;
  const items: { object: JsonObject; resource: DiscoveredResource }[] = [];
  for (const target of targets) {
    for await (const answer of answers(run, target, 'application/json')) {
      const objects = target.names.length > 0 ? [answer] : listItems(answer, target.resource);
      items.push(...objects.map((object) => ({ object, resource: target.resource })));
    }
  }
  if (options.output === 'name') {
    for (const { object, resource } of items) io.stdout.write(`${objectName(resource, nameOf(object))}\n`);
    return;
  }
  const [only] = items;
  const single = targets.length === 1 && targets[0]?.names.length === 1 && only;
  const value = single ? only.object : wrapItems(items.map(({ object }) => object));
  io.stdout.write(options.output === 'yaml' ? printYaml(value) : printJson(value));
}

/** Items of a typed list have no type of their own (reference: wire, "Lists"). */
function listItems(list: JsonObject, resource: DiscoveredResource): JsonObject[] {
  const items = Array.isArray(list.items) ? list.items.filter(isJsonObject) : [];
  const apiVersion = resource.group ? `${resource.group}/${resource.version}` : resource.version;
  return items.map((item) => ({ apiVersion, kind: resource.kind, ...item }));
}

/** The `List` of command-line clients, which is not a kind of the API (spec 1). */
function wrapItems(items: JsonObject[]): JsonObject {
  return { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items };
}

function nameOf(object: JsonObject): string {
  return isJsonObject(object.metadata) && typeof object.metadata.name === 'string' ? object.metadata.name : '';
}

async function watch(run: Run, targets: readonly Target[]): Promise<void> {
  const { client, options, io } = run;
  const [target] = targets;
  if (!target || targets.length > 1 || target.names.length > 1) {
    throw new CliError('-w takes one resource type, and at most one name');
  }
  const [name] = target.names;
  const query = {
    watch: true,
    labelSelector: options.selector,
    fieldSelector: name === undefined ? undefined : `metadata.name=${name}`,
  };
  const chunks = await client.transport.stream({
    method: 'GET',
    path: resourcePath(target.resource, { namespace: namespaceOf(run, target) }),
    query,
    accept: options.output === undefined ? tableAccept : 'application/json',
    signal: io.signal,
  });
  const show = eventPrinter(run, target);
  for await (const line of readLines(chunks)) {
    const event = client.codec.parse(line);
    // The server sends one event object per line.
    const { type, object } = event as { type: string; object: JsonObject };
    if (type === 'ERROR') throw new StatusError(object);
    if (type !== 'BOOKMARK') show(object);
  }
  // An interrupted watch prints no error; the exit code differs from the code of a watch ended by
  // the server.
  io.signal.throwIfAborted();
}

/** Returns a printer for watch events: rows in the columns of the first event, or documents. */
function eventPrinter({ options, io }: Run, { resource }: Target): (object: JsonObject) => void {
  const printers: Record<string, (object: JsonObject) => string> = {
    json: printJson,
    yaml: (object: JsonValue) => printYaml(object, true),
    name: (object) => `${objectName(resource, nameOf(object))}\n`,
  };
  const print = printers[options.output ?? ''];
  if (print) return (object) => void io.stdout.write(print(object));
  let first: TableRows | undefined;
  let columns: JsonValue | undefined;
  let widths: number[] = [];
  return (object) => {
    // Only the first Table of a watch has column definitions.
    columns ??= object.columnDefinitions;
    const complete = object.kind === 'Table' ? { ...object, columnDefinitions: columns ?? null } : object;
    const table = readTable(complete, { namespaces: namespacesShown(options, resource), nowMs: Date.now() });
    const lines = first ? table.rows : [table.headings, ...table.rows];
    first ??= table;
    widths = columnWidths([widths.map((width) => ' '.repeat(width)), ...lines]);
    io.stdout.write(formatRows(lines, widths));
  };
}
