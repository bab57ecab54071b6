import { createHash } from 'node:crypto';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { memoize } from '../../meta/memoize.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { LiveCatalogue } from '../../registry/live-catalogue.ts';
import { openApiDefinitions, type PublishedKind } from '../../scheme/open-api-schema.ts';
import { methodNotAllowed, StatusError } from '../../status/status-error.ts';
import type { Exchange } from '../request/exchange.ts';
import { type MediaRange, parseAccept } from '../request/parse-accept.ts';
import { sendBytes, sendAsItIs } from '../respond/send-bytes.ts';
import type { OpenApiDocument } from './encode-open-api.ts';
import { patchPaths } from './patch-paths.ts';

interface Rendering {
  readonly contentType: string;
  readonly body: Buffer;
  readonly etag: string;
}

const json = 'application/json';
const protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/**
 * The Content-Type of the response, by the requested media type. A media type must not contain `@`:
 * older clients request one with it, but cannot parse it in a response.
 */
const mediaTypes: ReadonlyMap<string, string> = new Map([
  [json, json],
  [protobuf, protobuf],
  ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', protobuf],
]);

/**
 * Handles `/openapi/v2`: the definitions of all kinds and the paths of their PATCH operations, as
 * JSON or Protobuf. The document is created on first use for each state of the catalogue.
 */
export function handleOpenApi(
  catalogue: LiveCatalogue,
  identifiers: Identifiers,
  version: string,
): (exchange: Exchange) => Promise<void> | void {
  const renderingsOf = memoize<Catalogue, Map<string, Promise<Rendering>>>(() => new Map());
  const rendering = (mediaType: string): Promise<Rendering> => {
    const { current } = catalogue;
    const renderings = renderingsOf(current);
    const known = renderings.get(mediaType) ?? render(openApiDocument(current, identifiers, version), mediaType);
    renderings.set(mediaType, known);
    return known;
  };
  return async (exchange) => {
    const { request } = exchange;
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
    const { contentType, body, etag } = await rendering(acceptedType(request.headers.accept));
    const headers = { ETag: etag, Vary: 'Accept' };
    if (request.headers['if-none-match'] === etag) {
      return sendAsItIs(exchange, { status: 304, contentType, body: Buffer.alloc(0), headers });
    }
    return sendBytes(exchange, { status: 200, contentType, body, headers });
  };
}

function openApiDocument(catalogue: Catalogue, identifiers: Identifiers, version: string): OpenApiDocument {
  const info = { title: identifiers.product, version };
  return {
    swagger: '2.0',
    info,
    paths: patchPaths(catalogue, identifiers),
    definitions: openApiDefinitions(publishedKinds(catalogue), identifiers),
  };
}

function publishedKinds({ resources }: Catalogue): PublishedKind[] {
  return resources.flatMap(({ group, kind, versions }) =>
    versions.map(({ version, schema }) => ({ group, kind, version, schema: schema() })),
  );
}

async function render(document: OpenApiDocument, contentType: string): Promise<Rendering> {
  const body = await encoded(document, contentType);
  return { contentType, body, etag: `"${createHash('sha256').update(body).digest('hex')}"` };
}

async function encoded(document: OpenApiDocument, contentType: string): Promise<Buffer> {
  if (contentType === json) return Buffer.from(JSON.stringify(document));
  // Loaded on demand: few clients request it, and it would slow down the start.
  const { encodeOpenApi } = await import('./encode-open-api.ts');
  return encodeOpenApi(document);
}

function acceptedType(accept: string | undefined): string {
  if (accept === undefined) return json;
  for (const range of parseAccept(accept)) {
    const type = typeOf(range);
    if (type) return type;
  }
  const list = [...new Set(mediaTypes.values())].join(', ');
  throw new StatusError('NotAcceptable', `only the following media types are accepted: ${list}`);
}

function typeOf({ type, subtype }: MediaRange): string | undefined {
  if (type === '*' || (type === 'application' && subtype === '*')) return json;
  return mediaTypes.get(`${type}/${subtype}`);
}
