import { networkInterfaces } from 'node:os';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { objectsAt, stringAt } from '../meta/read-field.ts';
import { ensureObject, hasReason, systemScope, systemWrite } from '../registry/ensure-object.ts';
import type { Registries, RequestScope, ResourceRegistry } from '../registry/registry.ts';

/** Where clients inside the cluster find its API servers. */
export interface SystemService {
  readonly registries: Registries;
  readonly identifiers: Identifiers;
  /** The Service's own address, the first of its range. */
  readonly clusterIp: string;
  /** The address on which others reach this server; undefined where only its own machine does. */
  readonly advertiseAddress: string | undefined;
  readonly port: number;
}

/** The port of the Service, whatever port the servers listen on. */
const servicePort = 443;

/** An update of the endpoints may lose to other servers that start. */
const attempts = 10;

/**
 * Makes sure that the Service of the API exists in the namespace `default`, and that its endpoints name this server beside the
 * others. Several servers may do so at once.
 */
export async function ensureSystemService(service: SystemService, signal: AbortSignal): Promise<void> {
  const { registries, identifiers } = service;
  const services = registries.forResource('', 'services');
  const endpoints = registries.forResource('', 'endpoints');
  if (!services || !endpoints) return;
  const scopeOf = (registry: ResourceRegistry): RequestScope => ({
    ...systemScope(identifiers, registry, signal),
    namespace: 'default',
    name: identifiers.product,
  });
  await ensureObject(services, scopeOf(services), serviceObject(service));
  if (service.advertiseAddress !== undefined) await joinEndpoints(endpoints, scopeOf(endpoints), service);
}

function serviceObject({ identifiers, clusterIp, port }: SystemService): JsonObject {
  return {
    metadata: {
      name: identifiers.product,
      namespace: 'default',
      labels: { component: 'apiserver', provider: identifiers.product },
    },
    spec: {
      type: 'ClusterIP',
      clusterIP: clusterIp,
      sessionAffinity: 'None',
      ports: [{ name: 'https', protocol: 'TCP', port: servicePort, targetPort: port }],
    },
  };
}

async function joinEndpoints(endpoints: ResourceRegistry, scope: RequestScope, service: SystemService): Promise<void> {
  for (let left = attempts; left > 0; left--) {
    try {
      const answer = await endpoints.get(scope, { kind: 'latest' }).catch(absentIfNotFound);
      const options = systemWrite(scope.identifiers);
      if (!answer) {
        await endpoints.create({ ...scope, name: '' }, endpointsObject(service, []), options);
        return;
      }
      const found = JSON.parse(answer.json.toString('utf8')) as JsonObject;
      const subsets = objectsAt(found, 'subsets');
      if (subsets.some((subset) => hasServer(subset, service))) return;
      const { metadata = {} } = found;
      await endpoints.update(scope, { ...endpointsObject(service, subsets), metadata }, options);
      return;
    } catch (error) {
      // Another server was faster.
      if (left <= 1 || !(hasReason(error, 'AlreadyExists') || hasReason(error, 'Conflict'))) throw error;
    }
  }
}

function absentIfNotFound(error: unknown): undefined {
  if (!hasReason(error, 'NotFound')) throw error;
}

function hasServer(subset: JsonObject, { advertiseAddress, port }: SystemService): boolean {
  return (
    objectsAt(subset, 'ports').some((one) => one['port'] === port) &&
    objectsAt(subset, 'addresses').some((address) => stringAt(address, 'ip') === advertiseAddress)
  );
}

/** Servers on one port share a subset. */
function endpointsObject(
  { identifiers, advertiseAddress = '', port }: SystemService,
  subsets: readonly JsonObject[],
): JsonObject {
  const mine = subsets.find((subset) => objectsAt(subset, 'ports').some((one) => one['port'] === port));
  const addresses = [...(mine ? objectsAt(mine, 'addresses') : []), { ip: advertiseAddress }];
  return {
    metadata: {
      name: identifiers.product,
      namespace: 'default',
      labels: { [`endpointslice.${identifiers.labelDomain}/skip-mirror`]: 'true' },
    },
    subsets: [
      ...subsets.filter((subset) => subset !== mine),
      { addresses, ports: [{ name: 'https', port, protocol: 'TCP' }] },
    ],
  };
}

/** The address that a server on `bindAddress` is reached at: of one that listens everywhere, the machine's first that is not its own loop. */
export function advertiseAddressOf(bindAddress: string): string | undefined {
  if (/^(127\.|::1$)/.test(bindAddress)) return undefined;
  if (bindAddress !== '0.0.0.0' && bindAddress !== '::') return bindAddress;
  const known = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return known.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}
