import { METHODS } from 'node:http';
import { methodNotAllowed } from '../../status/status-error.ts';
import { isTrue } from '../options/parameters.ts';
import type { FindConnect } from '../connect/connect-subresource.ts';
import { checkHeaders } from '../request/check-headers.ts';
import { parseRequestPath, type ResourceTarget } from '../request/request-path.ts';
import type { Filter } from './filter.ts';
import { parseQuery, type Query } from '../request/query.ts';

/** API verbs by method, for a collection and for one object. */
const verbs: Readonly<Record<string, readonly [collection: string, object: string]>> = {
  GET: ['list', 'get'],
  HEAD: ['list', 'get'],
  POST: ['create', 'create'],
  PUT: ['update', 'update'],
  PATCH: ['patch', 'patch'],
  DELETE: ['deletecollection', 'delete'],
};

/**
 * Finds out, once, what a request is about: path, query and verb. Everything behind it, authorization and storage keys
 * included, uses this answer and never looks at the URL again.
 */
export function requestInfo(findConnect: FindConnect): Filter {
  return (exchange) => {
    const { request } = exchange;
    checkHeaders(request);
    exchange.path = parseRequestPath(request.url ?? '/');
    exchange.query = parseQuery(exchange.path.query);
    const method = request.method ?? 'GET';
    if (!knownMethods.has(method)) throw methodNotAllowed();
    const { target } = exchange.path;
    exchange.verb = verbOf(method, target, exchange.query);
    if (target) exchange.connect = findConnect(target);
  };
}

/** HTTP/2 lets a client make up methods; the routes know those of HTTP/1.1 (Node's parser refuses others there). */
const knownMethods: ReadonlySet<string> = new Set(METHODS);

/** The verb that authorization checks (spec 4.1). A method that no verb stands for gives ''. */
function verbOf(method: string, target: ResourceTarget | undefined, query: Query): string {
  if (!target) return method.toLowerCase();
  if (target.prefix) return target.prefix;
  const pair = Object.hasOwn(verbs, method) ? verbs[method] : undefined;
  if (!pair) return '';
  const verb = pair[target.name ? 1 : 0];
  return verb === 'list' && isWatch(query) ? 'watch' : verb;
}

function isWatch(query: Query): boolean {
  const text = query.get('watch');
  return text !== null && isTrue(text);
}
