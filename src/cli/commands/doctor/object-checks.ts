import { X509Certificate } from 'node:crypto';
import type { GenericObject } from '../../../client/api-object.ts';
import { discoverAll } from '../../../client/discovery.ts';
import { findResource } from '../../../client/find-resource.ts';
import { ignoreReasons } from '../../../client/error-of-response.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { isTrue, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { dialWebhook } from './dial-webhook.ts';
import { type Check, error, type Examination, expiry, type Finding, ok, warning } from './finding.ts';

/** Minutes after which a deletion is slow. */
const slowMinutes = 5;
const minuteMs = 60_000;

/** More objects of a type are not looked at: a look shall take seconds in a store of any size. */
const mostObjects = 2000;
/** Definitions of custom kinds can have a megabyte each. */
const pageSize = 100;

/** The first objects of a type; none if the server does not have it. */
async function objectsOf(examination: Examination, type: string): Promise<JsonObject[]> {
  const { client, resources, io, onPart } = examination;
  const resource = findResource([...resources], type);
  if (!resource) return [];
  const found: GenericObject[] = [];
  for await (const { items, metadata } of client.resource(resource).pages({ limit: pageSize, signal: io.signal })) {
    found.push(...items);
    if (found.length < mostObjects || !metadata.continue) continue;
    onPart(type, found.length);
    break;
  }
  // The codec of the client returns JSON values.
  return found as JsonObject[];
}

function nameOf(object: JsonObject): string {
  return stringAt(objectAt(object, 'metadata'), 'name');
}

function condition(object: JsonObject, type: string): JsonObject | undefined {
  return objectsAt(objectAt(object, 'status'), 'conditions').find((each) => stringAt(each, 'type') === type);
}

/** Groups whose servers are away. */
export const checkGroups: Check = async (examination) => {
  const { failed } = await discoverAll(examination.client, examination.io.signal);
  const away = (await objectsOf(examination, 'apiservices')).filter(
    (service) => stringAt(condition(service, 'Available') ?? {}, 'status') === 'False',
  );
  if (failed.length === 0 && away.length === 0) return [ok('all API groups are served')];
  return [
    ...failed.map(({ groupVersion, message }) =>
      error(`${groupVersion} is not served: ${message}`, 'see its APIService'),
    ),
    ...away.map((service) =>
      error(
        `the APIService ${nameOf(service)} is not available: ${stringAt(condition(service, 'Available') ?? {}, 'message')}`,
        'see whether its Service has pods, or delete the APIService: deletions of namespaces wait for it',
      ),
    ),
  ];
};

/** Definitions of custom kinds that are not served, or not as they say. */
export const checkDefinitions: Check = async (examination) => {
  const definitions = await objectsOf(examination, 'customresourcedefinitions');
  const wanted = [
    ['Established', 'True'],
    ['NamesAccepted', 'True'],
  ] as const;
  const found = definitions.flatMap((definition) =>
    wanted.flatMap(([type, status]) => {
      const given = condition(definition, type);
      if (!given || stringAt(given, 'status') === status) return [];
      return [
        error(`${nameOf(definition)} is not ${type}: ${stringAt(given, 'message')}`, 'change or delete the definition'),
      ];
    }),
  );
  return found.length > 0 ? found : [ok(`${definitions.length} definitions of custom kinds are established`)];
};

/** Webhooks whose Service has no pods, or whose CA has expired. */
export const checkWebhooks: Check = async (examination) => {
  const types = ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'];
  const configurations = (await Promise.all(types.map((type) => objectsOf(examination, type)))).flat();
  const webhooks = configurations.flatMap((configuration) => objectsAt(configuration, 'webhooks'));
  const endpoints = await endpointsOf(examination, webhooks);
  const dialed = await Promise.all(webhooks.map(dialWebhook));
  const found = [
    ...webhooks.flatMap((webhook) => webhookFindings(webhook, endpoints, examination.nowMs)),
    ...dialed.flat(),
  ];
  return found.length > 0 ? found : [ok(`${webhooks.length} webhooks can be reached`)];
};

/** The Endpoints of the Services of webhooks, and no others: there are as many as Services. */
async function endpointsOf(
  { client, resources, io }: Examination,
  webhooks: readonly JsonObject[],
): Promise<JsonObject[]> {
  const resource = findResource([...resources], 'endpoints');
  const services = webhooks.map((webhook) => objectAt(objectAt(webhook, 'clientConfig'), 'service'));
  const named = services.map((service) => [stringAt(service, 'namespace'), stringAt(service, 'name')] as const);
  const different = new Map(named.filter(([, name]) => name !== '').map((each) => [each.join('/'), each]));
  if (!resource) return [];
  const found: JsonObject[] = [];
  for (const [namespace, name] of different.values()) {
    const read = client.resource(resource).get(name, { namespace, signal: io.signal });
    const object = await ignoreReasons(read, 'NotFound');
    // The codec of the client returns JSON values.
    if (object) found.push(object as JsonObject);
  }
  return found;
}

function webhookFindings(webhook: JsonObject, endpoints: readonly JsonObject[], nowMs: number): Finding[] {
  const config = objectAt(webhook, 'clientConfig');
  const name = `the webhook ${stringAt(webhook, 'name')}`;
  const ca = Buffer.from(stringAt(config, 'caBundle'), 'base64').toString();
  const found = ca.includes('BEGIN CERTIFICATE')
    ? [expiry(`the CA of ${name}`, endOf(ca), nowMs, 'write a new caBundle')]
    : [];
  const service = objectAt(config, 'service');
  const isService = stringAt(service, 'name') !== '';
  const isServed = endpoints.some((each) => {
    const metadata = objectAt(each, 'metadata');
    const isSame = stringAt(metadata, 'name') === stringAt(service, 'name');
    const hasPods = objectsAt(each, 'subsets').some((subset) => objectsAt(subset, 'addresses').length > 0);
    return isSame && stringAt(metadata, 'namespace') === stringAt(service, 'namespace') && hasPods;
  });
  if (isService && !isServed) found.push(unserved(name, webhook, service));
  return found.filter(({ level }) => level !== 'ok');
}

function unserved(name: string, webhook: JsonObject, service: JsonObject): Finding {
  const message = `${name} has no ready pod: Service ${stringAt(service, 'namespace')}/${stringAt(service, 'name')}`;
  if (stringAt(webhook, 'failurePolicy') === 'Ignore') return warning(`${message}; it is skipped`, 'start its pods');
  return error(`${message}; what it reviews is refused`, 'start its pods, or delete its configuration');
}

function endOf(pem: string): number {
  try {
    return Date.parse(new X509Certificate(pem).validTo);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Namespaces that are being deleted for long. */
export const checkNamespaces: Check = async (examination) => {
  const namespaces = await objectsOf(examination, 'namespaces');
  const found = namespaces.flatMap((namespace) => {
    const deletedMs = Date.parse(stringAt(objectAt(namespace, 'metadata'), 'deletionTimestamp'));
    const minutes = Math.floor((examination.nowMs - deletedMs) / minuteMs);
    if (!(minutes >= slowMinutes)) return [];
    const conditions = objectsAt(objectAt(namespace, 'status'), 'conditions');
    const reasons = conditions.filter((each) => isTrue(each, 'status') || stringAt(each, 'status') === 'True');
    const words = reasons.map((each) => stringAt(each, 'message')).join('; ');
    return [
      warning(
        `namespace ${nameOf(namespace)} has been deleted for ${minutes} minutes${words && `: ${words}`}`,
        'remove the finalizers of its objects, or start what handles them',
      ),
    ];
  });
  return found.length > 0 ? found : [ok('no deletion of a namespace hangs')];
};

/** Nodes that are not ready. */
export const checkNodes: Check = async (examination) => {
  const nodes = await objectsOf(examination, 'nodes');
  const found = nodes
    .filter((node) => stringAt(condition(node, 'Ready') ?? {}, 'status') !== 'True')
    .map((node) =>
      warning(
        `node ${nameOf(node)} is not ready: ${stringAt(condition(node, 'Ready') ?? {}, 'message') || 'it has not said so'}`,
        'see whether its agent runs and reaches the server',
      ),
    );
  if (found.length > 0) return found;
  return nodes.length > 0
    ? [ok(`${nodes.length} nodes are ready`)]
    : [warning('there are no nodes: pods stay Pending', 'start nodes, or stand-in ones with "cl up --nodes=1"')];
};
