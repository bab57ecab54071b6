import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import { methodNotAllowed, StatusError } from '../../status/status-error.ts';
import type { RemoteApiService } from '../api-services/api-service.ts';
import type { Exchange } from '../request/exchange.ts';
import { type MediaRange, parseAccept } from '../../http-protocol/messages/parse-accept.ts';
import { sendNoSuchPage } from '../respond/answer-error.ts';
import { sendAsItIs } from '../../http-protocol/responses/send-bytes.ts';
import type { OpenApiNames } from './operation.ts';
import { encodedDocument, sendEncoded } from './encoded-document.ts';
import { noRemotes, type RemoteDescription, type RemoteDocuments } from './remote-documents.ts';
import { type DocumentType, documentTypes, OpenApiDocuments } from './open-api-documents.ts';

type Handler = (exchange: Exchange) => Promise<void> | void;

/** The handlers of OpenAPI. */
export interface OpenApi {
  /** `/openapi/v2`: the whole server, as JSON or Protobuf. */
  readonly version2: Handler;
  /** `/openapi/v3`: the addresses of the documents of version 3. */
  readonly index: Handler;
  /** `/openapi/v3/...`: a document for each version of a group, as JSON or Protobuf. */
  readonly version3: Handler;
}

/** Creates the handlers of OpenAPI. */
export function handleOpenApi(
  catalogue: LiveCatalogue,
  names: OpenApiNames,
  { remotes = noRemotes, forward }: RemoteOptions = {},
): OpenApi {
  const documents = new OpenApiDocuments(catalogue, names, remotes);
  const addressOf = async ([path, description]: readonly [string, RemoteDescription]) =>
    [path, urlOf(path, await documents.convertedHash(path, description))] as const;
  return {
    version2: async (exchange) => {
      const type = acceptedType(exchange, acceptedTypes[2], documentTypes[2]);
      return sendEncoded(exchange, await documents.version2(type));
    },
    index: async (exchange) => {
      requireGet(exchange);
      acceptedType(exchange, jsonAccepted, { json });
      const own = [...(await documents.index())].map(([path, hash]) => [path, urlOf(path, hash)] as const);
      const remote = await remotes.version3();
      const converted = await Promise.all([...remotes.version2Only()].map(addressOf));
      const urls = [...remote, ...converted, ...own].toSorted(([a], [b]) => (a < b ? -1 : 1));
      const paths = urls.map(([path, serverRelativeURL]) => [path, { serverRelativeURL }]);
      const body = Buffer.from(JSON.stringify({ paths: Object.fromEntries(paths) }));
      return sendEncoded(exchange, encodedDocument(body, json));
    },
    version3: async (exchange) => {
      requireGet(exchange);
      const path = exchange.path.decoded.slice(root.length).replace(/\/$/, '');
      const service = remotes.serverOf(path);
      const description = service && (await describedInVersion2(remotes, path));
      if (service && forward && !description) return forward(exchange, service);
      if (!description && !documents.has(path)) return sendNoSuchPage(exchange);
      const type = acceptedType(exchange, acceptedTypes[3], documentTypes[3]);
      const found = description
        ? await documents.converted(path, description, type)
        : await documents.version3(path, type);
      if (!found) return sendNoSuchPage(exchange);
      const asked = exchange.query.get('hash');
      if (!asked) return sendEncoded(exchange, found.document);
      if (asked !== found.indexHash) return redirect(exchange, urlOf(path, found.indexHash));
      return sendEncoded(exchange, found.document, { cacheControl: 'public, immutable', expires: inAYear() });
    },
  };
}

/** The description of a server that has no document of version 3 at a path. */
async function describedInVersion2(remotes: RemoteDocuments, path: string): Promise<RemoteDescription | undefined> {
  await remotes.version3();
  return remotes.version2Only().get(path);
}

/** The servers behind this one. */
interface RemoteOptions {
  readonly remotes?: RemoteDocuments;
  /** Answers a request with the response of another server. */
  readonly forward?: (exchange: Exchange, service: RemoteApiService) => Promise<void> | void;
}

const root = '/openapi/v3/';
const json = 'application/json';

function urlOf(path: string, hash: string): string {
  return `${root}${path}?hash=${hash}`;
}

function inAYear(): string {
  const date = new Date();
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  return date.toUTCString();
}

function redirect(exchange: Exchange, location: string): void {
  const body = Buffer.from(`<a href="${location}">Moved Permanently</a>.\n\n`);
  const contentType = 'text/html; charset=utf-8';
  sendAsItIs(exchange, { status: 301, contentType, body, headers: { Location: location } });
}

function requireGet({ request }: Exchange): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
}

const jsonAccepted: ReadonlyMap<string, 'json'> = new Map([[json, 'json']]);

/**
 * The type of the response by the requested media type, for both versions. A media type must not
 * contain `@`: older clients request one with it, but cannot parse it in a response.
 */
const acceptedTypes = {
  2: new Map<string, DocumentType>([
    ...jsonAccepted,
    [documentTypes[2].protobuf, 'protobuf'],
    ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', 'protobuf'],
  ]),
  3: new Map<string, DocumentType>([
    ...jsonAccepted,
    [documentTypes[3].protobuf, 'protobuf'],
    ['application/com.github.proto-openapi.spec.v3@v1.0+protobuf', 'protobuf'],
  ]),
} as const;

/** Returns the first type that the client accepts. Throws 406 with the types that there are. */
function acceptedType<Type extends string>(
  { request }: Exchange,
  accepted: ReadonlyMap<string, Type>,
  types: Readonly<Record<Type, string>>,
): Type {
  const [preferred] = accepted.values();
  const { accept = '*/*' } = request.headers;
  for (const range of parseAccept(accept)) {
    const type = isOpen(range) ? preferred : accepted.get(`${range.type}/${range.subtype}`);
    if (type) return type;
  }
  const list = Object.values(types).join(', ');
  throw new StatusError('NotAcceptable', `only the following media types are accepted: ${list}`);
}

function isOpen({ type, subtype }: MediaRange): boolean {
  return type === '*' || (type === 'application' && subtype === '*');
}
