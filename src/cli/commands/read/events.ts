import type { Client } from '../../../client/client.ts';
import { ageSince } from '../../../meta/human-duration.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { namespaceOf } from '../../../meta/object-meta.ts';
import { numberAt, objectAt, stringAt } from '../../../meta/read-field.ts';
import { parseTime } from '../../../meta/time.ts';
import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { columnWidths, formatRows, visibleText } from '../../format-rows.ts';
import { objectPrinter } from '../../printers/print-object.ts';
import { readTargets } from '../../targets.ts';
import type { eventsFlags } from './events-flags.ts';

/** A running `cl events`. */
interface EventsRun {
  readonly client: Client;
  readonly options: Invocation<typeof eventsFlags>['options'];
  readonly io: Invocation['io'];
}

const reference = { group: '', version: 'v1', resource: 'events' } as const;

const eventTypes: ReadonlySet<string> = new Set(['normal', 'warning']);

/** `cl events`: events of a namespace or about an object, the latest last; with `-w` new ones. */
export async function events({ options, io }: Invocation<typeof eventsFlags>): Promise<void> {
  const wrong = options.types.find((type) => !eventTypes.has(type.toLowerCase()));
  if (wrong !== undefined) throw new CliError('valid --types are Normal or Warning');
  await withClient({ options, io }, async (client) => showEvents({ client, options, io }));
}

async function showEvents(run: EventsRun): Promise<void> {
  const { client, options, io } = run;
  const fieldSelector = await selectorOf(run);
  const namespace = options.allNamespaces ? undefined : client.settings.namespace;
  const select = { namespace, fieldSelector, signal: io.signal };
  const found: JsonObject[] = [];
  let resourceVersion: string | undefined;
  for await (const page of client.resource(reference).pages({ ...select, limit: options.chunkSize || undefined })) {
    ({ resourceVersion } = page.metadata);
    // The codec of the client returns JSON values.
    for (const item of page.items) found.push(item as JsonObject);
  }
  const listed = found.filter(isOfTypes(options.types)).toSorted((one, other) => lastSeen(one) - lastSeen(other));
  const show = await eventsPrinter(run);
  if (listed.length > 0 || options.output !== undefined) show(listed, 'list');
  else if (!options.watch) {
    const where = options.allNamespaces ? '' : ` in ${client.settings.namespace} namespace`;
    io.stderr.write(`No events found${where}.\n`);
  }
  if (!options.watch) return;
  for await (const { type, object } of client.resource(reference).watch({ ...select, resourceVersion })) {
    const event = object as JsonObject;
    if ((type === 'ADDED' || type === 'MODIFIED') && isOfTypes(options.types)(event)) show([event], 'change');
  }
  io.signal.throwIfAborted();
}

/** The fields of the events of `--for`. */
async function selectorOf(run: EventsRun): Promise<string | undefined> {
  const target = run.options.for;
  if (target === undefined) return undefined;
  const [found] = target.includes('/') ? await readTargets(run, [target]) : [];
  if (!found) throw new CliError('--for must be in resource/name form');
  return `involvedObject.kind=${found.resource.kind},involvedObject.name=${found.names[0] ?? ''}`;
}

function isOfTypes(types: readonly string[]): (event: JsonObject) => boolean {
  const wanted = types.map((type) => type.toLowerCase());
  return (event) => wanted.length === 0 || wanted.includes(stringAt(event, 'type').toLowerCase());
}

/** The first of these times that an event has. */
function lastSeen(event: JsonObject): number {
  const series = stringAt(objectAt(event, 'series'), 'lastObservedTime');
  return parseTime(series || stringAt(event, 'lastTimestamp') || stringAt(event, 'eventTime')) ?? 0;
}

async function eventsPrinter(
  run: EventsRun,
): Promise<(events: readonly JsonObject[], from: 'list' | 'change') => void> {
  const { options, io } = run;
  if (options.output !== undefined || options.template !== undefined) {
    const print = await objectPrinter(options, io);
    return (items, from) => {
      const one = from === 'change' ? items[0] : undefined;
      io.stdout.write(print(one ?? { apiVersion: 'v1', kind: 'EventList', metadata: {}, items: [...items] }));
    };
  }
  const heading = [...(options.allNamespaces ? ['NAMESPACE'] : []), 'LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'];
  let head = options.noHeaders ? [] : [heading];
  let widths: number[] = [];
  return (items) => {
    const rows = [...head, ...items.map((event) => cellsOf(event, options.allNamespaces).map(visibleText))];
    head = [];
    widths = columnWidths([widths.map((width) => ' '.repeat(width)), ...rows]);
    io.stdout.write(formatRows(rows, widths));
  };
}

function cellsOf(event: JsonObject, namespaces: boolean): string[] {
  const about = objectAt(event, 'involvedObject');
  return [
    ...(namespaces ? [namespaceOf(event)] : []),
    seenText(event, Date.now()),
    stringAt(event, 'type'),
    stringAt(event, 'reason'),
    `${stringAt(about, 'kind')}/${stringAt(about, 'name')}`,
    stringAt(event, 'message')
      .trim()
      .replaceAll(/\s*\n\s*/g, ' '),
  ];
}

/** The age of an event, and of a repeated one how often and since when. */
function seenText(event: JsonObject, nowMs: number): string {
  const first = ageSince(stringAt(event, 'eventTime') || stringAt(event, 'firstTimestamp'), nowMs);
  const series = objectAt(event, 'series');
  const count = numberAt(series, 'count') ?? numberAt(event, 'count') ?? 1;
  const last = stringAt(series, 'lastObservedTime') || stringAt(event, 'lastTimestamp');
  return count > 1 ? `${ageSince(last, nowMs)} (x${count} over ${first})` : first;
}
