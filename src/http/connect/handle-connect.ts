import { type AdmissionChain, mutate, validate } from '../../admission/admission.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { LiveCatalogue } from '../../registry/live-catalogue.ts';
import { unstoredAttributes } from '../../registry/admit-unstored.ts';
import type { Registries, RequestScope } from '../../registry/registry.ts';
import { methodNotAllowed, notServed, StatusError } from '../../status/status-error.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { Exchange } from '../request/exchange.ts';
import { checkTarget } from '../request/path-segment-name.ts';
import type { ResourceTarget } from '../request/request-path.ts';
import { requestScope } from '../request/request-scope.ts';
import { connectOptions } from './connect-options.ts';
import type { ConnectHandler, ConnectSubresource, FindConnect } from './connect-subresource.ts';
import { objectNameIn } from './object-name.ts';
import { upgradeOf } from '../request/upgrade.ts';

interface ConnectDependencies {
  readonly identifiers: Identifiers;
  readonly catalogue: LiveCatalogue;
  readonly registries: Pick<Registries, 'of'>;
  readonly findConnect: FindConnect;
  readonly admission: AdmissionChain;
  readonly metrics: Pick<RequestMetrics, 'routed'>;
  /** Aborts when the server begins to drain. */
  readonly shutdown: AbortSignal;
}

/**
 * Handles requests for connect sub-resources: the refusal of admission, 404 if the object does not
 * exist, else the response of the sub-resource's handler.
 */
export function handleConnect(dependencies: ConnectDependencies) {
  const { identifiers, catalogue, registries, findConnect, admission, metrics, shutdown } = dependencies;
  return async (exchange: Exchange): Promise<void> => {
    const { path, request } = exchange;
    const { target } = path;
    const connect = target && findConnect(target);
    const served = target && catalogue.current.find(target.group, target.version, target.resource);
    const registry = served && registries.of(served.info);
    if (!connect || !registry || target.nested !== served.info.namespaced || (target.depth > 0 && !connect.hasPath)) {
      throw notServed();
    }
    if (!connect.methods.includes(request.method ?? '')) throw methodNotAllowed();
    metrics.routed(exchange, served, { name: connect.subresource });
    checkTarget(target);
    const name = connect.hasPort ? objectNameIn(target.name, served.info.singular) : target.name;
    const scope = { ...requestScope(identifiers, exchange, target, served.info.namespaced), name };
    // Before the object is looked up, as in kube-apiserver.
    await registry.admitConnect(scope);
    if (!connect.reads) await admit(admission, { connect, exchange, target, scope });
    const object = await registry.get({ ...scope, subresource: '' }, { kind: 'latest' });
    const { handler = notImplemented } = connect;
    return handler({
      exchange,
      scope,
      object,
      sentName: target.name,
      path: target.rest,
      upgrade: upgradeOf(request),
      shutdown,
    });
  };
}

interface ConnectRequest {
  readonly connect: ConnectSubresource;
  readonly exchange: Exchange;
  readonly target: ResourceTarget;
  readonly scope: RequestScope;
}

/** Admits a connection by its options. The name is that in the URL, as in kube-apiserver. */
async function admit(chain: AdmissionChain, { connect, exchange, target, scope }: ConnectRequest): Promise<void> {
  const schema = connect.options?.();
  if (!schema) return;
  const { group, version, resource, name } = target;
  const attributes = unstoredAttributes({
    scope,
    operation: 'CONNECT',
    resource: { group, version, resource },
    kind: { group, version, kind: connect.kind ?? '' },
    schema,
    object: connectOptions(connect, target, exchange.query),
    name,
  });
  await mutate(chain, attributes);
  await validate(chain, attributes);
}

/** Throws 501 for a sub-resource of the API that this server does not implement. */
const notImplemented: ConnectHandler = ({ exchange }) => {
  const { resource = '', subresource = '' } = exchange.path.target ?? {};
  const message = `this server does not implement ${resource}/${subresource}`;
  throw new StatusError('', message, { code: 501, details: {} });
};
