import { sourceAddresses } from '../../http-protocol/messages/source-addresses.ts';
import type { Exchange } from './exchange.ts';

/** Longer user agents are cut. */
const longestUserAgent = 1024;

/** The fields of a request in its traces, with the names of kube-apiserver, without the URL. */
export function verbFields(exchange: Exchange): Readonly<Record<string, string>> {
  const { request, auditId, path, verb } = exchange;
  const { group = '', version = '', name = '', subresource = '', namespace = '', resource = '' } = path.target ?? {};
  return {
    accept: request.headers.accept ?? '',
    'audit-id': auditId,
    client: sourceAddresses(request).at(-1) ?? '',
    'api-group': group,
    'api-version': version,
    name,
    subresource,
    namespace,
    protocol: `HTTP/${request.httpVersion}`,
    resource,
    scope: name === '' ? (namespace === '' ? 'cluster' : 'namespace') : 'resource',
    'user-agent': (request.headers['user-agent'] ?? '').slice(0, longestUserAgent),
    verb: verb.toUpperCase(),
  };
}

/** The span names of verbs, as in kube-apiserver. */
const names: Readonly<Record<string, string>> = {
  get: 'Get',
  list: 'List',
  watch: 'Watch',
  create: 'Create',
  update: 'Update',
  patch: 'Patch',
  delete: 'Delete',
  deletecollection: 'Delete',
};

/** The span name of a verb; undefined for verbs of non-resource paths. */
export function tracedVerb(verb: string): string | undefined {
  return Object.hasOwn(names, verb) ? names[verb] : undefined;
}
