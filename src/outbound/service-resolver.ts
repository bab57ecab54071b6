import type { JsonObject } from '../meta/json-value.ts';
import type { Lister, ListerOf } from '../meta/lister.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '../meta/read-field.ts';
import { notFound, StatusError } from '../status/status-error.ts';
import type { ServerAddress } from './json-client.ts';

/** A port of a Service. */
interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/**
 * Finds an address of a Service for a new connection. Throws `StatusError` if the Service does not
 * exist, has no such port, or has no endpoint that is ready.
 */
export type ResolveService = (service: ServicePort, signal: AbortSignal) => Promise<ServerAddress>;

/**
 * How Services are resolved: to one of their endpoints, to their cluster IP, or by the name
 * `<name>.<namespace>.svc` that a DNS server knows.
 */
export const serviceResolvers = ['endpoints', 'cluster-ip', 'dns'] as const;

/** A way to resolve Services. */
type ServiceResolverName = (typeof serviceResolvers)[number];

interface ServiceItem {
  readonly type: string;
  readonly clusterIp: string;
  readonly externalName: string;
  readonly ports: readonly { readonly name: string; readonly port: number }[];
}

interface EndpointsItem {
  readonly subsets: readonly {
    readonly addresses: readonly string[];
    readonly ports: readonly { readonly name: string; readonly port: number }[];
  }[];
}

/** Creates the resolver of a server. It reads Services and Endpoints through listers. */
export function serviceResolver(listerOf: ListerOf, resolver: ServiceResolverName): ResolveService {
  if (resolver === 'dns') return async ({ namespace, name, port }) => ({ host: `${name}.${namespace}.svc`, port });
  const services = listerOf({ group: '', resource: 'services', read: readService });
  const endpoints = listerOf({ group: '', resource: 'endpoints', read: readEndpoints });
  return async (wanted, signal) => {
    const { namespace, name } = wanted;
    const service = await found(services, 'service', wanted, signal);
    if (service.type === 'ExternalName') return externalAddress(service, wanted, resolver);
    if (resolver === 'cluster-ip') return clusterAddress(service, wanted);
    const portName = portOf(service, wanted).name;
    const item = await endpoints.get(namespace, name, signal);
    if (!item) throw notFound({ group: '', resource: 'endpoints' }, name);
    const addresses = item.subsets.flatMap((subset) => {
      const target = subset.ports.find((one) => one.name === portName);
      return target ? subset.addresses.map((host) => ({ host, port: target.port })) : [];
    });
    const chosen = addresses[Math.floor(Math.random() * addresses.length)];
    if (!chosen) throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
    return chosen;
  };
}

async function found<Item extends object>(
  lister: Lister<Item>,
  resource: string,
  { namespace, name }: ServicePort,
  signal: AbortSignal,
): Promise<Item> {
  const item = await lister.get(namespace, name, signal);
  if (!item) throw notFound({ group: '', resource }, name);
  return item;
}

function portOf(service: ServiceItem, { name, port }: ServicePort): { readonly name: string } {
  const known = service.ports.find((one) => one.port === port);
  if (!known) throw unavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
  return known;
}

function clusterAddress(service: ServiceItem, wanted: ServicePort): ServerAddress {
  portOf(service, wanted);
  const { clusterIp } = service;
  if (clusterIp !== '' && clusterIp !== 'None') return { host: clusterIp, port: wanted.port };
  throw unavailable(`service ${JSON.stringify(wanted.name)} has no cluster IP`);
}

function externalAddress(service: ServiceItem, { port }: ServicePort, resolver: ServiceResolverName): ServerAddress {
  if (resolver === 'cluster-ip') return { host: service.externalName, port };
  throw unavailable(`unsupported service type ${JSON.stringify(service.type)}`);
}

function unavailable(message: string): StatusError {
  return new StatusError('ServiceUnavailable', message);
}

function readService(service: JsonObject): ServiceItem {
  const spec = objectAt(service, 'spec');
  return {
    type: stringAt(spec, 'type'),
    clusterIp: stringAt(spec, 'clusterIP'),
    externalName: stringAt(spec, 'externalName'),
    ports: portsOf(spec),
  };
}

function readEndpoints(object: JsonObject): EndpointsItem {
  return {
    subsets: objectsAt(object, 'subsets').map((subset) => ({
      addresses: objectsAt(subset, 'addresses').map((address) => stringAt(address, 'ip')),
      ports: portsOf(subset),
    })),
  };
}

function portsOf(object: JsonObject) {
  return objectsAt(object, 'ports').map((port) => ({
    name: stringAt(port, 'name'),
    port: numberAt(port, 'port') ?? 0,
  }));
}
