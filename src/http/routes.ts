import { METHODS } from 'node:http';
import { Router } from '@koa/router';
import type Koa from 'koa';
import { methodNotAllowed } from '../status/status-error.ts';
import type { Discovery } from './discovery/handle-discovery.ts';
import type { Exchange } from './request/exchange.ts';
import { indentJson } from '../codec/indent-json.ts';
import { sendAsItIs } from './respond/send-bytes.ts';

/** Answers a request whose path has one of the shapes below. */
export type RouteHandler = (exchange: Exchange) => Promise<void> | void;

/** What the routes lead to. */
interface RouteTable {
  readonly resource: RouteHandler;
  readonly discovery: Discovery;
  /** Paths of discovery, as they are now. */
  readonly discoveryPaths: () => readonly string[];
  /** By name: `livez` for `/livez` and `/livez/{check}`. */
  readonly health: ReadonlyMap<string, RouteHandler>;
  readonly version: Readonly<Record<string, string>>;
  readonly openApi: RouteHandler;
  readonly metrics: RouteHandler;
}

/**
 * The shapes of paths (spec 4.1, 4.9). Resources are not routes: the wildcard leads to one handler, which finds the resource
 * in the catalogue by look-up. The router matches the undecoded path and its parameters are not used, so that a path is
 * taken apart in one place only.
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
  route(
    '/version',
    sendJson(() => version),
  );
  route('/openapi/v2', openApi);
  route('/metrics', metrics);
  for (const [name, handler] of health) {
    route(`/${name}`, handler);
    route(`/${name}/*check`, handler);
  }
  route(
    '/',
    sendJson(() => ({ paths: indexOf(discoveryPaths(), [...health.keys()]) })),
  );
  // The router puts its own fields on Koa's context as it runs; its types ask for them beforehand.
  const dispatch = router.routes() as Koa.Middleware<Exchange>;
  return (context, next) => {
    // The router would parse the URL again, and differently.
    Object.assign(context, { newRouterPath: context.state.path.raw });
    return dispatch(context, next);
  };
}

/** Every path that can be asked for by name, in order. */
function indexOf(discoveryPaths: readonly string[], health: readonly string[]): readonly string[] {
  return [
    '/api',
    '/apis',
    ...discoveryPaths,
    ...health.map((name) => `/${name}`),
    '/metrics',
    '/openapi/v2',
    '/version',
  ].toSorted();
}

/** Answers a small document, indented as people read it. */
function sendJson(document: () => object): RouteHandler {
  return (exchange) => {
    if (exchange.request.method !== 'GET') throw methodNotAllowed();
    const body = indentJson(Buffer.from(JSON.stringify(document())));
    sendAsItIs(exchange, { status: 200, contentType: 'application/json', body });
  };
}
