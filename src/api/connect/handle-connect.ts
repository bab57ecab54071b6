import { type AdmissionChain, mutate, validate } from '../../admission/admission.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import { unstoredAttributes } from '../../registry/write/admit-unstored.ts';
import type { Registries, RequestScope } from '../../registry/definition/registry.ts';
import { invalidObject, methodNotAllowed, notServed, StatusError, badRequest } from '../../status/status-error.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { Exchange } from '../request/exchange.ts';
import { checkTarget } from '../request/path-segment-name.ts';
import type { ResourceTarget } from '../request/request-path.ts';
import { requestScope } from '../request/request-scope.ts';
import type { ConnectHandler, ConnectSubresource, FindConnect } from './connect-subresource.ts';
import { upgradeOf } from '../../http-protocol/messages/upgrade.ts';
import { formatApiVersion } from '../../meta/group-version-kind.ts';
import { normaliseTime } from '../../meta/time.ts';
import type { ConnectDefinition } from '../../registry/definition/connect-definition.ts';
import type { Schema } from '../../scheme/model/schema.ts';
import { fieldsRelease } from '../../scheme/emulated-release.ts';
import { decodePath } from '../request/encode-path.ts';
import type { Query } from '../../http-protocol/requests/query.ts';

/** The parts of an RFC 3339 time in order: their form, their name in Go, and their range. */
const timeParts: readonly (readonly [form: RegExp, layout: string, part?: string, least?: number, most?: number])[] = [
  [/^\d{4}/, '2006'],
  [/^-/, '-'],
  [/^\d{2}/, '01', 'month', 1, 12],
  [/^-/, '-'],
  [/^\d{2}/, '02', 'day', 1, 31],
  [/^T/, 'T'],
  [/^\d{2}/, '15', 'hour', 0, 23],
  [/^:/, ':'],
  [/^\d{2}/, '04', 'minute', 0, 59],
  [/^:/, ':'],
  [/^\d{2}(?:\.\d+)?/, '05', 'second', 0, 59],
  [/^(?:Z|[+-]\d{2}:\d{2})/, 'Z07:00'],
];

/**
 * Says why a text is no RFC 3339 time, in the words of Go's parser after the quoted text, which
 * kube-apiserver sends to clients.
 */
function timeProblem(text: string): string {
  let rest = text;
  for (const [form, layout, part, least = 0, most = Infinity] of timeParts) {
    const found = form.exec(rest)?.[0];
    if (found === undefined) {
      return ` as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(layout)}`;
    }
    if (part !== undefined && (Number.parseInt(found, 10) < least || Number.parseInt(found, 10) > most)) {
      return `: ${part} out of range`;
    }
    rest = rest.slice(found.length);
  }
  return rest === '' ? ': day out of range' : `: extra text: ${JSON.stringify(rest)}`;
}

/**
 * The options of a connection as an object: the parameters of the query that its kind has, and the
 * decoded path after the sub-resource. Throws 400 for a value of another type.
 */
function connectOptions(
  { kind = '', options, hasPath }: ConnectDefinition,
  {
    group,
    version,
    emulated,
    rest,
  }: Pick<RequestScope, 'group' | 'version' | 'emulated'> & Pick<ResourceTarget, 'rest'>,
  query: Query,
): JsonObject {
  const object: JsonObject = { kind, apiVersion: formatApiVersion(group, version) };
  for (const { name, schema } of options?.(fieldsRelease(emulated)).fields.values() ?? []) {
    const values = query.getAll(name);
    const value = values.length > 0 ? valueOf(schema, values) : undefined;
    if (value !== undefined) object[name] = value;
  }
  if (hasPath && rest !== '') object['path'] = decodePath(rest).toString('utf8');
  return object;
}

/** The value of a parameter; undefined if it is empty. Most types use the first of several. */
function valueOf(schema: Schema, values: readonly string[]): JsonValue | undefined {
  const [first = ''] = values;
  if (schema.type === 'list') return schema.items.type === 'int32' ? values.flatMap(portsIn) : [...values];
  if (schema.type === 'bool') return !falseWords.has(first.toLowerCase());
  if (schema.type === 'int32' || schema.type === 'int64') return integerIn(first);
  if (schema.type === 'time') return first === '' ? undefined : timeIn(first);
  return first === '' ? undefined : first;
}

/** Any other word is true, also none, as in `?stdin`. */
const falseWords: ReadonlySet<string> = new Set(['false', '0']);

const largestInteger = 2n ** 63n - 1n;
const largestPort = 65_535;

function integerIn(text: string): JsonValue {
  const fail = (why: string) => badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`);
  if (!/^[+-]?\d+$/.test(text)) throw fail('invalid syntax');
  const value = BigInt(text.replace('+', ''));
  if (value > largestInteger || value < -largestInteger - 1n) throw fail('value out of range');
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** The ports in a list of ports, separated by commas. */
function portsIn(list: string): readonly number[] {
  return list.split(',').map((text) => {
    const fail = (why: string) =>
      badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`);
    if (!/^\d+$/.test(text)) throw fail('invalid syntax');
    if (Number(text) > largestPort) throw fail('value out of range');
    return Number(text);
  });
}

function timeIn(text: string): string {
  const time = normaliseTime(text);
  if (time === undefined) throw badRequest(`parsing time ${JSON.stringify(text)}${timeProblem(text)}`);
  return time;
}

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
    const scope = { ...requestScope(identifiers, exchange, target, served.info), name };
    const options = connectOptions(connect, { ...scope, rest: target.rest }, exchange.query);
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
  const schema = connect.options?.(fieldsRelease(scope.emulated));
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
