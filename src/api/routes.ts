import { METHODS } from 'node:http';
import { Router } from '@koa/router';
import type Koa from 'koa';
import { methodNotAllowed, StatusError } from '../status/status-error.ts';
import type { Discovery } from './discovery/handle-discovery.ts';
import type { OpenApi } from './openapi/handle-open-api.ts';
import type { PublishedDocument } from './http-dependencies.ts';
import type { Exchange } from './request/exchange.ts';
import { type MediaRange, parseAccept } from '../http-protocol/messages/parse-accept.ts';
import { indentJson } from '../json/indent-json.ts';
import { sendNoSuchPage } from './respond/answer-error.ts';
import { sendAsItIs } from '../http-protocol/responses/send-bytes.ts';

/** Handles a request whose path matches a route. */
export type RouteHandler = (exchange: Exchange) => Promise<void> | void;

/** A health path with the names of its checks. */
interface HealthPath {
  readonly handler: RouteHandler;
  readonly checks: readonly string[];
}

/** The handlers of the routes. */
interface RouteTable {
  readonly resource: RouteHandler;
  readonly discovery: Discovery;
  /** Returns the current paths of discovery. */
  readonly discoveryPaths: () => readonly string[];
  /** Health paths by name: `livez` serves `/livez` and `/livez/{check}`. */
  readonly health: ReadonlyMap<string, HealthPath>;
  readonly version: Readonly<Record<string, string>>;
  readonly openApi: OpenApi;
  readonly metrics: RouteHandler;
  /** The service level indicators. */
  readonly slis: RouteHandler;
  /** Other documents by path. */
  readonly documents: ReadonlyMap<string, PublishedDocument>;
  /** The handlers of the dashboard by path; none if it is disabled. */
  readonly dashboard: ReadonlyMap<string, RouteHandler>;
  /** Handlers of profiling by path; none if it is disabled. */
  readonly debug: ReadonlyMap<string, RouteHandler>;
}

/**
 * Creates the routes (spec 4.1, 4.9). Resources are not routes: wildcard routes lead to one
 * handler, which looks up the resource in the catalogue. The router matches the decoded path, which
 * was authorized, and its parameters are not used, so that a path is parsed in one place only.
 * Other paths outside the API are answered with 404 and the index of paths, as by kube-apiserver.
 */
export function createRoutes({
  resource,
  discovery,
  discoveryPaths,
  health,
  version,
  openApi,
  metrics,
  slis,
  documents,
  dashboard,
  debug,
}: RouteTable): Koa.Middleware<Exchange> {
  const router = new Router<Exchange>();
  const route = (path: string, handler: RouteHandler): void => {
    const layer = { sensitive: true, strict: true, ignoreCaptures: true };
    router.register(path, METHODS, (context) => handler(context.state), layer);
  };
  const fixedPaths = [
    ...debug.keys(),
    ...dashboard.keys(),
    ...documents.keys(),
    ...[...health].flatMap(([name, { checks }]) => pathsOf(name, checks)),
  ];
  const index = (): object => ({ paths: indexOf([...discoveryPaths(), ...fixedPaths]) });
  const notFound = (exchange: Exchange): void =>
    isInApi(exchange) ? sendNoSuchPage(exchange) : sendDocument(exchange, 404, index());
  // As in kube-apiserver, for every method.
  route('/', (exchange) => sendDocument(exchange, 200, index()));
  route('/api/:version/*rest', resource);
  route('/apis/:group/:version/*rest', resource);
  route('/apis/:group/:version', discovery.resources);
  route('/api/:version', discovery.resources);
  route('/apis/:group', discovery.group);
  route('/apis', discovery.groups);
  route('/api', discovery.core);
  route('/version', onlyJson(sendJson(version)));
  for (const [path, document] of documents) route(path, sendPublished(document));
  route('/openapi/v3', openApi.index);
  route('/openapi/v3/*document', openApi.version3);
  const exactRoute = (path: string, handler: RouteHandler): void =>
    route(path, (exchange) => (endsInSlash(exchange) ? notFound(exchange) : handler(exchange)));
  exactRoute('/openapi/v2', openApi.version2);
  exactRoute('/metrics', metrics);
  exactRoute('/metrics/slis', slis);
  for (const [path, handler] of dashboard) route(path, handler);
  for (const [path, handler] of debug) exactRoute(path, handler);
  for (const [name, { handler, checks }] of health) {
    for (const path of pathsOf(name, checks)) exactRoute(path, handler);
  }
  // The router adds its own fields to Koa's context at run time, but its types require them up
  // front.
  const dispatch = router.routes() as Koa.Middleware<Exchange>;
  return (context) => {
    // Without this the router would parse the URL again, and differently.
    Object.assign(context, { newRouterPath: withoutSlashAtEnd(context.state.path.decoded) });
    return dispatch(context, () => Promise.resolve(notFound(context.state)));
  };
}

/** Refuses clients that do not accept JSON with a 406. */
function onlyJson(handler: RouteHandler): RouteHandler {
  return (exchange) => {
    const { preferred } = exchange.formats;
    const ranges = parseAccept(exchange.request.headers.accept ?? '');
    const isAccepted = ranges.some((range) => exchange.formats.find(range) === preferred);
    if (ranges.length > 0 && !isAccepted) throw notAcceptable();
    return handler(exchange);
  };
}

/** Creates the handler of a published document. Refuses clients that do not accept its type. */
function sendPublished({ contentType, cacheControl, content }: PublishedDocument): RouteHandler {
  return (exchange) => {
    requireGet(exchange);
    const ranges = parseAccept(exchange.request.headers.accept ?? '');
    if (ranges.length > 0 && !ranges.some((range) => includes(range, contentType))) throw notAcceptable();
    sendAsItIs(exchange, { status: 200, contentType, cacheControl, body: Buffer.from(JSON.stringify(content())) });
  };
}

/** Reports whether a range of an Accept header includes a media type (RFC 9110, 12.5.1). */
function includes({ type, subtype }: MediaRange, mediaType: string): boolean {
  const [wantedType, wantedSubtype] = mediaType.split('/');
  return (type === '*' || type === wantedType) && (subtype === '*' || subtype === wantedSubtype);
}

function notAcceptable(): StatusError {
  return new StatusError('NotAcceptable', '406: Not Acceptable', { details: {} });
}

/** Returns the paths of the index at `/`, sorted. */
function indexOf(paths: readonly string[]): readonly string[] {
  const fixed = [
    '/api',
    '/apis',
    '/apis/',
    '/metrics',
    '/metrics/slis',
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/',
    '/version',
  ];
  return [...fixed, ...paths].toSorted();
}

/** Creates a handler that answers a small indented JSON document to GET. */
function sendJson(document: object): RouteHandler {
  return (exchange) => {
    requireGet(exchange);
    sendDocument(exchange, 200, document);
  };
}

function sendDocument(exchange: Exchange, status: number, document: object): void {
  const body = indentJson(Buffer.from(JSON.stringify(document)));
  sendAsItIs(exchange, { status, contentType: 'application/json', body });
}

/** True if the path is below the roots of the API, where unknown groups are answered in text. */
function isInApi({ path }: Exchange): boolean {
  return /^\/apis?\//.test(path.decoded);
}

/** True if the path has a slash at its end, which only exact routes distinguish. */
function endsInSlash({ path }: Exchange): boolean {
  return path.decoded.endsWith('/');
}

/** Removes one slash at the end, which most routes do not distinguish. */
function withoutSlashAtEnd(path: string): string {
  return /[^/]\/$/.test(path) ? path.slice(0, -1) : path;
}

function pathsOf(name: string, checks: readonly string[]): readonly string[] {
  return [`/${name}`, ...checks.map((check) => `/${name}/${check}`)];
}

/** Refuses other methods, also `HEAD`, as kube-apiserver does for paths that are not resources. */
function requireGet({ request }: Exchange): void {
  if (request.method !== 'GET') throw methodNotAllowed();
}
