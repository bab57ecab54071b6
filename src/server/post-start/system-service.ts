import { networkInterfaces } from 'node:os';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt, objectsAt, sameValue } from '../../meta/read-field.ts';
import { ensureObject, systemScope } from '../../registry/internal/ensure-object.ts';
import { reconcileObject } from '../../registry/internal/reconcile-object.ts';
import type { Registries, RequestScope, ResourceRegistry } from '../../registry/definition/registry.ts';
import type { ServerAddress } from './server-presence.ts';

/** The Service by which clients inside the cluster find the API servers. */
interface SystemService {
  readonly registries: Registries;
  readonly identifiers: Identifiers;
  /** The Service's cluster IP: the first of its range. */
  readonly clusterIp: string;
  /** The port on which servers listen. */
  readonly port: number;
  /** The node port of the Service; 0: the Service has only a cluster IP. */
  readonly nodePort: number;
  /** The servers to publish; undefined: the endpoints are not managed here. */
  readonly servers: readonly ServerAddress[] | undefined;
}

/** The port of the Service, independent of the servers' ports. */
const servicePort = 443;

/**
 * Creates the API's Service in the namespace `default`, and updates its Endpoints and
 * EndpointSlice to the current servers. Several servers may do so concurrently.
 */
export async function ensureSystemService(service: SystemService, signal: AbortSignal): Promise<void> {
  const { registries, identifiers, servers } = service;
  const found = ['services', 'endpoints'].map((resource) => registries.forResource('', resource));
  const [services, endpoints] = found;
  const slices = registries.forResource(`discovery.${identifiers.apiDomain}`, 'endpointslices');
  if (!services || !endpoints) return;
  const scopeOf = (registry: ResourceRegistry): RequestScope => ({
    ...systemScope(identifiers, registry, signal),
    namespace: 'default',
    name: identifiers.product,
  });
  await ensureService(services, scopeOf(services), service);
  if (!servers) return;
  await ensureState(endpoints, scopeOf(endpoints), endpointsObject(identifiers, servers));
  if (slices) await ensureState(slices, scopeOf(slices), sliceObject(identifiers, servers));
}

/** Creates the Service, or updates its type and port. */
async function ensureService(registry: ResourceRegistry, scope: RequestScope, service: SystemService): Promise<void> {
  const { nodePort } = service;
  if (nodePort === 0) {
    await ensureObject(registry, scope, serviceObject(service));
    return;
  }
  await reconcileObject(registry, scope, serviceObject(service), (found) => {
    const spec = objectAt(found, 'spec');
    const [port] = objectsAt(spec, 'ports');
    if (spec['type'] === 'NodePort' && port?.['nodePort'] === nodePort) return undefined;
    const ports = objectsAt(spec, 'ports').map((one, index) => (index === 0 ? { ...one, nodePort } : one));
    return { ...found, spec: { ...spec, type: 'NodePort', ports } };
  });
}

function serviceObject({ identifiers, clusterIp, port, nodePort }: SystemService): JsonObject {
  return {
    metadata: {
      name: identifiers.product,
      namespace: 'default',
      labels: { component: 'apiserver', provider: identifiers.product },
    },
    spec: {
      type: nodePort === 0 ? 'ClusterIP' : 'NodePort',
      clusterIP: clusterIp,
      sessionAffinity: 'None',
      ports: [
        {
          name: 'https',
          protocol: 'TCP',
          port: servicePort,
          targetPort: port,
          ...(nodePort === 0 ? {} : { nodePort }),
        },
      ],
    },
  };
}

/** Creates an object, or updates its fields outside metadata if they differ. */
async function ensureState(registry: ResourceRegistry, scope: RequestScope, object: JsonObject): Promise<void> {
  const { metadata: _metadata, ...state } = object;
  await reconcileObject(registry, scope, object, (found) =>
    Object.entries(state).every(([field, value]) => sameValue(found[field], value))
      ? undefined
      : { ...found, ...state },
  );
}

/** The distinct ports of the servers, sorted. */
function portsOf(servers: readonly ServerAddress[]): readonly number[] {
  return [...new Set(servers.map(({ port }) => port))].toSorted((a, b) => a - b);
}

/** The Endpoints object; servers with the same port share a subset. */
function endpointsObject(identifiers: Identifiers, servers: readonly ServerAddress[]): JsonObject {
  return {
    metadata: {
      name: identifiers.product,
      namespace: 'default',
      // The EndpointSlice is written here too, so it must not be mirrored.
      labels: { [`endpointslice.${identifiers.labelDomain}/skip-mirror`]: 'true' },
    },
    subsets: portsOf(servers).map((port) => ({
      addresses: servers.filter((server) => server.port === port).map(({ address }) => ({ ip: address })),
      ports: [{ name: 'https', port, protocol: 'TCP' }],
    })),
  };
}

/** A slice has one list of ports, so it contains the servers with the most common port. */
function sliceObject(identifiers: Identifiers, servers: readonly ServerAddress[]): JsonObject {
  const on = (port: number): readonly ServerAddress[] => servers.filter((server) => server.port === port);
  const [port = servicePort] = portsOf(servers).toSorted((a, b) => on(b).length - on(a).length);
  const family = on(port)[0]?.address.includes(':') ? 'IPv6' : 'IPv4';
  return {
    metadata: {
      name: identifiers.product,
      namespace: 'default',
      labels: { [`${identifiers.labelDomain}/service-name`]: identifiers.product },
    },
    addressType: family,
    endpoints: on(port).map(({ address }) => ({ addresses: [address], conditions: { ready: true } })),
    ports: [{ name: 'https', port, protocol: 'TCP' }],
  };
}

/**
 * The address for other machines of a server on `bindAddress`: the first external IPv4 address of
 * the machine if it listens on all interfaces; undefined for a loopback address.
 */
export function advertiseAddressOf(bindAddress: string): string | undefined {
  if (/^(127\.|::1$)/.test(bindAddress)) return undefined;
  if (bindAddress !== '0.0.0.0' && bindAddress !== '::') return bindAddress;
  const known = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return known.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}
