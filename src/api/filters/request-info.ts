import { METHODS } from 'node:http';
import { methodNotAllowed } from '../../status/status-error.ts';
import { isWatchQuery } from '../options/option-values.ts';
import { type FindRemote, isForwardedConnection } from '../request/find-remote.ts';
import type { FindConnect } from '../connect/connect-subresource.ts';
import { checkHeaders } from '../../http-protocol/messages/header-values.ts';
import { parseRequestPath, type ResourceTarget } from '../request/request-path.ts';
import type { Filter } from './filter.ts';
import { parseQuery, type Query } from '../../http-protocol/requests/query.ts';
import { upgradeOf } from '../../http-protocol/messages/upgrade.ts';

/** API verbs by method, for a collection and for an object. */
const verbs: Readonly<Record<string, readonly [collection: string, object: string]>> = {
  GET: ['list', 'get'],
  HEAD: ['list', 'get'],
  POST: ['create', 'create'],
  PUT: ['update', 'update'],
  PATCH: ['patch', 'patch'],
  DELETE: ['deletecollection', 'delete'],
};

/**
 * Parses path and query of a request and determines its verb. All later code, including
 * authorization and storage keys, uses this result and never parses the URL again.
 */
export function requestInfo(findConnect: FindConnect, findRemote: FindRemote): Filter {
  return (exchange) => {
    const { request } = exchange;
    checkHeaders(request);
    exchange.path = parseRequestPath(request.url ?? '/');
    exchange.query = parseQuery(exchange.path.query);
    const method = request.method ?? 'GET';
    if (!knownMethods.has(method)) throw methodNotAllowed();
    const { target } = exchange.path;
    exchange.verb = verbOf(method, target, exchange.query);
    exchange.remote = findRemote(exchange.path);
    if (exchange.remote) {
      exchange.isConnection = isForwardedConnection(exchange.path, upgradeOf(request) !== undefined);
    } else if (target) {
      exchange.connect = findConnect(target);
      exchange.isConnection = exchange.connect !== undefined;
    }
  };
}

/**
 * The methods of HTTP/1.1. An HTTP/2 client can send any method, which the routes do not know;
 * Node's HTTP/1.1 parser refuses other methods.
 */
const knownMethods: ReadonlySet<string> = new Set(METHODS);

/** Returns the verb for authorization (spec 4.1); '' for a method without a verb. */
function verbOf(method: string, target: ResourceTarget | undefined, query: Query): string {
  if (!target) return method.toLowerCase();
  if (target.prefix) return target.prefix;
  const pair = Object.hasOwn(verbs, method) ? verbs[method] : undefined;
  if (!pair) return '';
  const verb = pair[target.name ? 1 : 0];
  return verb === 'list' && isWatchQuery(query) ? 'watch' : verb;
}
