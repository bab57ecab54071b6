import { type AdmissionChain, mutate, validate } from '../../admission/admission.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import { unstoredAttributes } from '../../registry/write/admit-unstored.ts';
import type { Registries, RequestScope } from '../../registry/definition/registry.ts';
import { invalidObject, methodNotAllowed, notServed, StatusError, badRequest } from '../../status/status-error.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { Exchange } from '../request/exchange.ts';
import { checkTarget } from '../request/path-segment-name.ts';
import type { ResourceTarget } from '../request/request-path.ts';
import { requestScope } from '../request/request-scope.ts';
import { connectOptions } from './connect-options.ts';
import type { ConnectHandler, ConnectSubresource, FindConnect } from './connect-subresource.ts';
import { upgradeOf } from '../../http-protocol/messages/upgrade.ts';

/** The schemes that may precede the name of an object; '' is valid. */
const schemes: ReadonlySet<string> = new Set(['', 'http', 'https']);

/** The name of an object in a URL, with the server behind it. */
interface ObjectPort {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/**
 * Parses `name`, `name:port`, or `scheme:name:port`; missing parts are '', and the port may be
 * empty. Throws 400 for another form. `kind` is the singular name of the resource.
 */
function parseObjectPort(text: string, kind: string): ObjectPort {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !schemes.has(scheme)) {
    throw badRequest(`invalid ${kind} request ${JSON.stringify(text)}`);
  }
  return { scheme, name, port };
}

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
    const { scheme, name, port } = connect.hasPort
      ? parseObjectPort(target.name, served.info.singular)
      : { ...noPort, name: target.name };
    const scope = { ...requestScope(identifiers, exchange, target, served.info.namespaced), name };
    const options = connectOptions(connect, target, exchange.query);
    // Before the object is looked up, as in kube-apiserver.
    if (!connect.reads) await admit(admission, { connect, options, target, scope });
    checkOptions(connect, options, name);
    const object = await registry.get({ ...scope, subresource: '' }, { kind: 'latest' });
    const { handler = notImplemented } = connect;
    return handler({
      exchange,
      scope,
      object,
      options,
      sentName: target.name,
      scheme,
      port,
      path: target.rest,
      upgrade: upgradeOf(request),
      shutdown,
    });
  };
}

const noPort = { scheme: '', port: '' };

interface ConnectRequest {
  readonly connect: ConnectSubresource;
  /** The options of the connection, which mutating plugins change in place. */
  readonly options: JsonObject;
  readonly target: ResourceTarget;
  readonly scope: RequestScope;
}

/** Admits a connection by its options. The name is that in the URL, as in kube-apiserver. */
async function admit(chain: AdmissionChain, { connect, options, target, scope }: ConnectRequest): Promise<void> {
  const schema = connect.options?.();
  if (!schema) return;
  const { group, version, resource, name } = target;
  const attributes = unstoredAttributes({
    scope,
    operation: 'CONNECT',
    resource: { group, version, resource },
    kind: { group, version, kind: connect.kind ?? '' },
    schema,
    object: options,
    name,
  });
  await mutate(chain, attributes);
  await validate(chain, attributes);
}

/** Throws 422 for invalid options. */
function checkOptions(
  { options: schema, validateOptions }: ConnectSubresource,
  options: JsonObject,
  name: string,
): void {
  const errors = validateOptions?.(options) ?? [];
  if (errors.length === 0) return;
  const kind = schema?.().name.split('.').at(-1) ?? '';
  throw invalidObject({ group: '', resource: kind }, name, errors);
}

/** Throws 501 for a sub-resource of the API that this server does not implement. */
const notImplemented: ConnectHandler = ({ exchange }) => {
  const { resource = '', subresource = '' } = exchange.path.target ?? {};
  const message = `this server does not implement ${resource}/${subresource}`;
  throw new StatusError('', message, { code: 501, details: {} });
};
