import type { RemoteApiService } from '../../api/api-services/api-service.ts';
import type { RemoteDescription } from '../../api/openapi/remote-documents.ts';
import { referredTo, type RemoteDocuments } from '../../api/openapi/remote-documents.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import { pause } from '../../async/timers.ts';
import { isJsonObject } from '../../meta/json-value.ts';
import { objectAt, stringAt } from '../../meta/read-field.ts';
import type { AskedDocument, AskDocument } from './ask-document.ts';

/** The dependencies of the documents of other servers. */
interface RemoteDocumentsOptions {
  /** The present remote APIServices that are available. */
  readonly available: () => readonly RemoteApiService[];
  /** Finds the APIService of a version that another server serves. */
  readonly find: (group: string, version: string) => RemoteApiService | undefined;
  readonly ask: AskDocument;
}

/** The documents of one APIService's server, about its version. */
interface KnownServer {
  service: RemoteApiService;
  askedMs: number;
  asking: Promise<void> | undefined;
  /** The document of version 2 as it was received last, and its description. */
  whole: AskedDocument | undefined;
  description: RemoteDescription | undefined;
  /** The address of the document of version 3. */
  address: string | undefined;
}

/** The documents of a server are asked for again after this time, when a client reads them. */
const renewMs = 60_000;

/** How long a client waits for servers that were not asked yet. */
const waitMs = 3_000;

/**
 * The documents of OpenAPI of the servers behind this one. They are read when clients ask for
 * documents, at most once a minute, and changed ones only (ETag). A slow server delays nobody for
 * long: its last documents are used meanwhile.
 */
export function createRemoteDocuments({ available, find, ask }: RemoteDocumentsOptions): RemoteDocuments {
  const servers = new Map<string, KnownServer>();
  let descriptions: readonly RemoteDescription[] = [];

  const refresh = async (): Promise<readonly KnownServer[]> => {
    const present = available().map((service) => {
      const known = servers.get(service.name) ?? newServer(service);
      known.service = service;
      servers.set(service.name, known);
      return known;
    });
    const names = new Set(present.map(({ service }) => service.name));
    for (const name of servers.keys()) if (!names.has(name)) servers.delete(name);
    const work = present.map((server) => renewed(server, ask));
    const isNew = present.some(({ askedMs }) => askedMs === -Infinity);
    if (isNew) await Promise.race([Promise.all(work), pause(waitMs, undefined, { ref: false })]);
    return present;
  };

  return {
    async version2() {
      const present = await refresh();
      const next = present.flatMap(({ description }) => description ?? []);
      const isSame = next.length === descriptions.length && next.every((one, index) => one === descriptions[index]);
      return isSame ? descriptions : (descriptions = next);
    },
    async version3() {
      const present = await refresh();
      return new Map(
        present.flatMap(({ service, address }) => (address === undefined ? [] : [[pathOf(service), address] as const])),
      );
    },
    version2Only() {
      const older = [...servers.values()].filter(({ address }) => address === undefined);
      return new Map(
        older.flatMap(({ service, description }) => (description ? [[pathOf(service), description] as const] : [])),
      );
    },
    serverOf(path) {
      const [root, group = '', version = '', ...rest] = path.split('/');
      return root === 'apis' && rest.length === 0 ? find(group, version) : undefined;
    },
  };
}

function newServer(service: RemoteApiService): KnownServer {
  const unknown = { whole: undefined, description: undefined, address: undefined };
  return { service, askedMs: -Infinity, asking: undefined, ...unknown };
}

/** Asks for the documents of a server, unless that happened recently. Never rejects. */
function renewed(server: KnownServer, ask: AskDocument): Promise<void> {
  if (server.asking) return server.asking;
  if (performance.now() - server.askedMs < renewMs) return Promise.resolve();
  return (server.asking = renew(server, ask));
}

async function renew(server: KnownServer, ask: AskDocument): Promise<void> {
  try {
    await readDocuments(server, ask);
  } catch {
    // The last documents stay.
  }
  server.askedMs = performance.now();
  server.asking = undefined;
}

async function readDocuments(server: KnownServer, ask: AskDocument): Promise<void> {
  const { service } = server;
  const [whole, index] = await Promise.all([
    ask(service, '/openapi/v2', server.whole?.etag).catch(() => server.whole),
    ask(service, '/openapi/v3').catch(() => undefined),
  ]);
  if (whole && whole !== server.whole && whole.content) {
    server.whole = { etag: whole.etag, content: undefined };
    server.description = descriptionOf(whole.content, service);
  }
  server.address = addressIn(index?.content, service);
}

function pathOf({ group, version }: RemoteApiService): string {
  return `apis/${group}/${version}`;
}

/** The address of the document of a version. Another address than one below the root is ignored. */
function addressIn(index: JsonObject | undefined, service: RemoteApiService): string | undefined {
  const address = index && stringAt(objectAt(index, 'paths', pathOf(service)), 'serverRelativeURL');
  return address?.startsWith(`/openapi/v3/${pathOf(service)}?hash=`) ? address : undefined;
}

/** The paths of a version, and the definitions that they use: other parts are not its own. */
function descriptionOf(document: JsonObject, { group, version }: RemoteApiService): RemoteDescription {
  const root = `/apis/${group}/${version}/`;
  const [allPaths, allDefinitions] = [objectAt(document, 'paths'), objectAt(document, 'definitions')];
  const shared = objectAt(document, 'parameters');
  const paths = new Map<string, JsonObject>();
  for (const [path, item] of Object.entries(allPaths)) {
    if (path.startsWith(root) && isJsonObject(item)) paths.set(path, withOwnParameters(item, shared));
  }
  const definitions = new Map<string, JsonObject>();
  const rest = [...paths.values()];
  for (let part = rest.pop(); part; part = rest.pop()) {
    for (const name of referredTo(part)) {
      const definition = Object.hasOwn(allDefinitions, name) ? allDefinitions[name] : undefined;
      if (definitions.has(name) || !isJsonObject(definition)) continue;
      definitions.set(name, definition);
      rest.push(definition);
    }
  }
  return { paths, definitions };
}

const parameterReference = '#/parameters/';

/** Returns a copy of a path in which the parameters that it refers to are in their places. */
function withOwnParameters(item: JsonObject, shared: JsonObject): JsonObject {
  if (Object.keys(shared).length === 0) return item;
  const text = JSON.stringify(item, (_key, value: JsonValue) => {
    const reference = isJsonObject(value) ? value['$ref'] : undefined;
    if (typeof reference !== 'string' || !reference.startsWith(parameterReference)) return value;
    const name = reference.slice(parameterReference.length);
    return Object.hasOwn(shared, name) ? shared[name] : value;
  });
  // A copy of a JSON object.
  return JSON.parse(text) as JsonObject;
}
