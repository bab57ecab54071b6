import { METHODS } from 'node:http';
import { Router } from '@koa/router';
import type Koa from 'koa';
import { methodNotAllowed, StatusError } from '../status/status-error.ts';
import type { Discovery } from './discovery/handle-discovery.ts';
import type { OpenApi } from './openapi/handle-open-api.ts';
import type { Exchange } from './request/exchange.ts';
import { parseAccept } from './request/parse-accept.ts';
import { indentJson } from '../codec/indent-json.ts';
import { sendAsItIs } from './respond/send-bytes.ts';

/** Handles a request whose path matches a route. */
export type RouteHandler = (exchange: Exchange) => Promise<void> | void;

/** The handlers of the routes. */
interface RouteTable {
  readonly resource: RouteHandler;
  readonly discovery: Discovery;
  /** Returns the current paths of discovery. */
  readonly discoveryPaths: () => readonly string[];
  /** Handlers by name: `livez` handles `/livez` and `/livez/{check}`. */
  readonly health: ReadonlyMap<string, RouteHandler>;
  readonly version: Readonly<Record<string, string>>;
  readonly openApi: OpenApi;
  readonly metrics: RouteHandler;
}

/**
 * Creates the routes (spec 4.1, 4.9). Resources are not routes: wildcard routes lead to one
 * handler, which looks up the resource in the catalogue. The router matches the raw path and its
 * parameters are not used, so that a path is parsed in one place only.
 */
export function createRoutes({
  resource,
  discovery,
  discoveryPaths,
  health,
  version,
  openApi,
  metrics,
}: RouteTable): Koa.Middleware<Exchange> {
  const router = new Router<Exchange>();
  const route = (path: string, handler: RouteHandler): void => {
    const layer = { sensitive: true, ignoreCaptures: true };
    router.register(path, METHODS, (context) => handler(context.state), layer);
  };
  route('/api/:version/*rest', resource);
  route('/apis/:group/:version/*rest', resource);
  route('/apis/:group/:version', discovery.resources);
  route('/api/:version', discovery.resources);
  route('/apis/:group', discovery.group);
  route('/apis', discovery.groups);
  route('/api', discovery.core);
  route('/version', onlyJson(sendJson(() => version)));
  route('/openapi/v2', openApi.version2);
  route('/openapi/v3', openApi.index);
  route('/openapi/v3/*document', openApi.version3);
  route('/metrics', metrics);
  for (const [name, handler] of health) {
    route(`/${name}`, handler);
    route(`/${name}/*check`, handler);
  }
  route(
    '/',
    sendJson(() => ({ paths: indexOf(discoveryPaths(), [...health.keys()]) })),
  );
  // The router adds its own fields to Koa's context at run time, but its types require them up
  // front.
  const dispatch = router.routes() as Koa.Middleware<Exchange>;
  return (context, next) => {
    // Without this the router would parse the URL again, and differently.
    Object.assign(context, { newRouterPath: context.state.path.raw });
    return dispatch(context, next);
  };
}

/** Refuses clients that do not accept JSON with a 406. */
function onlyJson(handler: RouteHandler): RouteHandler {
  return (exchange) => {
    const { preferred } = exchange.formats;
    const ranges = parseAccept(exchange.request.headers.accept ?? '');
    const isAccepted = ranges.some((range) => exchange.formats.find(range) === preferred);
    if (ranges.length > 0 && !isAccepted)
      throw new StatusError('NotAcceptable', '406: Not Acceptable', { details: {} });
    return handler(exchange);
  };
}

/** Returns the paths of the index at `/`, sorted. */
function indexOf(discoveryPaths: readonly string[], health: readonly string[]): readonly string[] {
  return [
    '/api',
    '/apis',
    ...discoveryPaths,
    ...health.map((name) => `/${name}`),
    '/metrics',
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/',
    '/version',
  ].toSorted();
}

/** Creates a handler that answers a small indented JSON document. */
function sendJson(document: () => object): RouteHandler {
  return (exchange) => {
    if (exchange.request.method !== 'GET') throw methodNotAllowed();
    const body = indentJson(Buffer.from(JSON.stringify(document())));
    sendAsItIs(exchange, { status: 200, contentType: 'application/json', body });
  };
}
