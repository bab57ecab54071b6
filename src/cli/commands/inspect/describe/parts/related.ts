import type { Client } from '../../../../../client/client.ts';
import type { DiscoveredResource } from '../../../../../client/discovery.ts';
import { hasReason } from '../../../../../client/error-of-response.ts';
import { defined, type JsonObject } from '../../../../../meta/json-value.ts';
import { resourcesOf, type Session } from '../../../../find-type.ts';
import { serverIdentifiers } from '../../../../server-identifiers.ts';
import type { Description, Need, Selection } from './description.ts';
import { shortGroup, textAt } from './values.ts';

/** The server that a command reads, and how. */
export interface Source {
  readonly client: Client;
  readonly resources: readonly DiscoveredResource[];
  readonly signal: AbortSignal;
  /** How the names of the server's own namespaces begin. */
  readonly prefix: string;
  /** Objects of one response; 0 is no limit. */
  readonly chunkSize: number;
}

/** Objects of one response, if the command has no flag for it. */
const usualChunkSize = 500;

/** The server of a session, for reading it. */
export async function openSource(session: Session, chunkSize = usualChunkSize): Promise<Source> {
  const { client, io } = session;
  const { prefix } = await serverIdentifiers(session);
  return { client, resources: await resourcesOf(session), signal: io.signal, prefix, chunkSize };
}

/** The resource of the server's own group, such as `apps`, in the preferred version. */
export function builtIn(
  resources: readonly DiscoveredResource[],
  group: string,
  resource: string,
): DiscoveredResource | undefined {
  return resources.find((each) => each.resource === resource && shortGroup(each.group) === group);
}

/** All objects of a resource that are selected, page by page, with their kind. */
export async function listAll(
  { client, signal, chunkSize }: Source,
  resource: DiscoveredResource,
  selection: Selection = {},
): Promise<JsonObject[]> {
  const { namespace, labelSelector, fieldSelector } = selection;
  const options = { namespace, labelSelector, fieldSelector, limit: chunkSize, signal };
  const items: JsonObject[] = [];
  // The codec of the client returns JSON values.
  for await (const page of client.resource(resource).pages(defined(options))) {
    items.push(...(page.items as JsonObject[]).map((item) => typed(item, resource)));
  }
  return items;
}

/** Adds the kind, which items of lists lack. */
function typed(item: JsonObject, { group, version, kind }: DiscoveredResource): JsonObject {
  return { apiVersion: group ? `${group}/${version}` : version, kind, ...item };
}

/** Responses without which a description goes on. */
const refusals = ['Forbidden', 'NotFound', 'MethodNotAllowed'];

/** The objects that a description needs, by name; undefined for those that may not be read. */
export async function readRelated(
  source: Source,
  object: JsonObject,
  needs: Description['needs'] = {},
): Promise<Record<string, readonly JsonObject[] | undefined>> {
  const found = await Promise.all(
    Object.entries(needs).map(async ([name, need]) => [name, await readNeed(source, object, need)] as const),
  );
  return Object.fromEntries(found);
}

async function readNeed(
  source: Source,
  object: JsonObject,
  { group, resource: plural, select }: Need,
): Promise<readonly JsonObject[] | undefined> {
  const resource = builtIn(source.resources, group, plural);
  const selection = select(object, source.prefix);
  if (!resource || !selection) return undefined;
  try {
    if (selection.name === undefined) return await listAll(source, resource, selection);
    const options = { namespace: selection.namespace ?? '', signal: source.signal };
    return [(await source.client.resource(resource).get(selection.name, options)) as JsonObject];
  } catch (error) {
    if (!hasReason(error, ...refusals)) throw error;
    return undefined;
  }
}

/** The Events about an object; undefined if they may not be read. */
export async function eventsAbout(
  source: Source,
  object: JsonObject,
  by: Description['events'],
): Promise<JsonObject[] | undefined> {
  const events = builtIn(source.resources, '', 'events');
  if (!events) return undefined;
  const namespace = textAt(object, 'metadata.namespace');
  const name = textAt(object, 'metadata.name');
  const kind = by === 'uid' ? '' : textAt(object, 'kind');
  // The agents of nodes have no UID of theirs and refer to the name.
  const uids = [textAt(object, 'metadata.uid'), ...(by === 'name-or-uid' ? [name] : [])];
  try {
    const found = await Promise.all(
      uids.map((uid) => {
        const demands = { name, namespace, kind, uid };
        const fieldSelector = Object.entries(demands)
          .filter(([, value]) => value !== '')
          .map(([field, value]) => `involvedObject.${field}=${value}`)
          .join(',');
        return listAll(source, events, { ...(namespace ? { namespace } : {}), fieldSelector });
      }),
    );
    return found.flat();
  } catch (error) {
    if (!hasReason(error, ...refusals)) throw error;
    return undefined;
  }
}
