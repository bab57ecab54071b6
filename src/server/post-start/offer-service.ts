import { pause } from '../../async/timers.ts';
import type { Logger } from 'pino';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Registries } from '../../registry/definition/registry.ts';
import type { ObjectStore } from '../../storage/port/object-store.ts';
import { countedServers, publishedServers } from './counted-servers.ts';
import { announceServer, presence, presentServers, type ServerAddress, withdrawServer } from './server-presence.ts';
import type { ServiceAllocation } from './service-allocation.ts';
import { ensureSystemService } from './system-service.ts';

/** The API's own Service, and this server in it. */
export interface ServiceOffer {
  readonly registries: Registries;
  readonly identifiers: Identifiers;
  readonly services: Pick<ServiceAllocation, 'clusterIps'>;
  readonly store: ObjectStore;
  readonly prefix: string;
  /** How the Endpoints of the Service follow the servers. */
  readonly endpoints: EndpointsOptions;
  /** The address of this server for other machines; undefined: it has none. */
  readonly advertiseAddress: string | undefined;
  /** Resolves with the port when the server listens. */
  readonly listening: Promise<number>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** How the Endpoints of the API's own Service follow the servers. */
interface EndpointsOptions {
  readonly reconciler: 'lease' | 'master-count' | 'none';
  /** The number of servers for `master-count`. */
  readonly servers: number;
  /** The node port of the Service; 0: the Service has only a cluster IP. */
  readonly nodePort: number;
}

/** Returns the servers to publish; undefined: the Endpoints are not changed. */
type ServersToPublish = (
  dependencies: ServiceOffer,
  own: ServerAddress,
  leaving: boolean,
) => Promise<readonly ServerAddress[] | undefined>;

const reconcilers: Readonly<Record<EndpointsOptions['reconciler'], ServersToPublish>> = {
  async lease(dependencies, own, leaving) {
    await (leaving ? withdrawServer : announceServer)(dependencies, own);
    return presentServers(dependencies);
  },
  async 'master-count'(dependencies, own, leaving) {
    const published = await publishedServers(dependencies, dependencies.signal);
    if (leaving) return published.filter(({ address }) => address !== own.address);
    return countedServers(published, own, dependencies.endpoints.servers);
  },
  none: async () => undefined,
};

/**
 * Publishes this server in the API's Service. A failure is logged and retried later; it does not
 * stop the server.
 */
export async function offerService(dependencies: ServiceOffer, leaving = false): Promise<void> {
  const { registries, identifiers, services, advertiseAddress, listening, log, signal } = dependencies;
  const { reconciler, nodePort } = dependencies.endpoints;
  const clusterIp = services.clusterIps.at(0);
  try {
    const port = await listening;
    const own = advertiseAddress === undefined ? undefined : { address: advertiseAddress, port };
    const servers = own && (await reconcilers[reconciler](dependencies, own, leaving));
    await ensureSystemService({ registries, identifiers, clusterIp, port, nodePort, servers }, signal);
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'the Service of the API server could not be updated; trying again');
  }
}

/**
 * Renews the presence of this server and removes expired servers from the Service, periodically.
 */
export async function offerPeriodically(dependencies: ServiceOffer, left: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([dependencies.signal, left]);
  while (!signal.aborted) {
    await pause(presence.refreshMs, signal, { ref: false });
    if (!signal.aborted) await offerService(dependencies);
  }
}
