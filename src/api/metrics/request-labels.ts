import type { Exchange } from '../request/exchange.ts';

/** The labels of a request for a resource that is served. All values come from limited sets. */
export interface RequestLabels {
  readonly verb: string;
  readonly scope: 'resource' | 'namespace' | 'cluster';
  readonly dryRun: string;
}

/** The part of a resource that its labels depend on. */
interface ScopedResource {
  readonly info: { readonly namespaced: boolean };
}

/** Methods that are reported as they are; HEAD is reported as the verb of a GET. */
const reportedMethods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT']);

/** The verb of any other method. */
const otherVerb = 'OTHER';

const applyPatch = 'application/apply-patch+yaml';

/**
 * The labels of a request, as kube-apiserver spells them: GET of a collection is LIST or WATCH, and
 * a delete of a collection is a DELETE whose scope is not `resource`.
 */
export function requestLabels(exchange: Exchange, { info }: ScopedResource): RequestLabels {
  const { target } = exchange.path;
  const { method = '' } = exchange.request;
  const single = method === 'POST' || (target?.name !== '' && target?.prefix === '');
  const scope = single ? 'resource' : info.namespaced && target?.nested ? 'namespace' : 'cluster';
  return { verb: verbOf(exchange, method, single), scope, dryRun: dryRunOf(exchange) };
}

function verbOf(exchange: Exchange, method: string, single: boolean): string {
  if (exchange.verb === 'watch') return 'WATCH';
  if (method === 'GET' || method === 'HEAD') return single ? 'GET' : 'LIST';
  if (method === 'PATCH' && isApply(exchange)) return 'APPLY';
  return methodLabel(method);
}

/** The verb of a request outside the API: its method. */
export function methodLabel(method: string): string {
  if (method === 'HEAD') return 'GET';
  return reportedMethods.has(method) ? method : otherVerb;
}

function isApply({ request }: Exchange): boolean {
  const type = request.headers['content-type'] ?? '';
  return type === applyPatch || type.split(';', 1)[0]?.trim() === applyPatch;
}

/** Returns `All`, '' without the parameter, or `invalid`. */
function dryRunOf({ query }: Exchange): string {
  if (query.get('dryRun') === null) return '';
  return query.getAll('dryRun').every((value) => value === 'All') ? 'All' : 'invalid';
}
