import type { DiscoveredResource } from '../../client/discovery.ts';
import { textAt } from '../../cli/commands/inspect/describe/parts/values.ts';
import { parseApiVersion } from '../../meta/group-version-kind.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { eventRow } from '../page/event-row.ts';
import { client } from './browser-client.ts';
import type { Kinds } from './kinds.ts';

/** Events of one response, and the most that are looked at. */
const pageEvents = 500;
const mostRead = 2000;

/** Events that are shown. */
const mostShown = 50;

/** The namespaces that are read one by one; of more, all are read. */
const mostNamespaces = 3;

/** Reads the newest Events with the type Warning. `isCut` if there are more than are looked at. */
export async function newestWarnings(kinds: Kinds, namespaces: readonly string[], signal: AbortSignal) {
  const kind = kinds.listed.find(({ group, resource }) => group === '' && resource === 'events');
  if (!kind) return { warnings: [], isCut: false };
  const isEach = namespaces.length > 0 && namespaces.length <= mostNamespaces;
  const read = await Promise.all((isEach ? namespaces : ['']).map((each) => readWarnings(kind, each, signal)));
  const wanted = new Set(namespaces);
  const warnings = read
    .flatMap(({ events }) => events)
    .map((event) => ({ ...eventRow(event), ...subjectOf(event, kinds) }))
    .filter(({ namespace }) => wanted.size === 0 || wanted.has(namespace))
    .toSorted((one, other) => other.last.localeCompare(one.last))
    .slice(0, mostShown);
  return { warnings, isCut: read.some(({ isCut }) => isCut) };
}

async function readWarnings(kind: DiscoveredResource, namespace: string, signal: AbortSignal) {
  const events: JsonObject[] = [];
  const options = { namespace, fieldSelector: 'type=Warning', limit: pageEvents, signal };
  for await (const { items, metadata } of client.resource(kind).pages(options)) {
    // The codec of the client returns JSON values.
    events.push(...(items as JsonObject[]));
    if (events.length >= mostRead) return { events, isCut: (metadata.continue ?? '') !== '' };
  }
  return { events, isCut: false };
}

/** The object of an Event, with its resource if the server has it. */
function subjectOf(event: JsonObject, { all }: Kinds) {
  const [kind, name] = [textAt(event, 'involvedObject.kind'), textAt(event, 'involvedObject.name')];
  const group = parseApiVersion(textAt(event, 'involvedObject.apiVersion'))?.group ?? '';
  const resource = all.find((each) => each.kind === kind && each.group === group)?.resource ?? '';
  const subjectNamespace = textAt(event, 'involvedObject.namespace');
  return { namespace: textAt(event, 'metadata.namespace'), kind, name, group, resource, subjectNamespace };
}
