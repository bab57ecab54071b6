import { pause } from '../../async/timers.ts';
import type { Logger } from 'pino';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Registries } from '../../registry/definition/registry.ts';
import { cacheOf } from '../../registry/create-registries.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import type { ResourceDefinition } from '../../registry/definition/resource-definition.ts';
import { runCompaction } from '../../storage/port/compaction.ts';
import type { CompactionsByStore } from './compaction-notes.ts';
import type { ObjectStore } from '../../storage/port/object-store.ts';
import type { WatchCache } from '../../storage/cache/watch-cache.ts';
import type { ServiceAllocation } from './service-allocation.ts';
import { countedServers, publishedServers } from './counted-servers.ts';
import {
  announceServer,
  presence,
  presentServers,
  type ServerAddress as PublishedAddress,
  withdrawServer,
} from './server-presence.ts';
import { ensureSystemService } from './system-service.ts';
import { isSince } from '../../scheme/api-release.ts';
import { ensureNamespaces } from '../../registry/internal/ensure-namespaces.ts';
import { ensureObject, systemScope } from '../../registry/internal/ensure-object.ts';
import { systemPriorityClasses } from '../../resources/scheduling/priorityclasses/system-classes.ts';
import { writeStorageVersions } from './write-storage-versions.ts';
import { deleteIdentityLease, keepIdentityLease, renewIdentityLease } from './identity-lease.ts';
import { renewPeerAddress } from './renew-peer-address.ts';
import { withdrawFromPeers } from '../../aggregator/peers/peer-addresses.ts';
import { hostOf } from '../../outbound/backend.ts';
import type { ServerAddress } from '../../outbound/json-client.ts';
import { ensureTokenTracking } from './legacy-token-tracking.ts';
import { ensureFlowControlObjects } from './flow-control-objects.ts';
import { reconcileDefaultRoles } from './reconcile-default-roles.ts';

/** Pause between attempts to prepare the store. */
const retryMs = 200;

interface BackgroundDependencies {
  readonly identifiers: Identifiers;
  readonly catalogue: LiveCatalogue;
  readonly store: ObjectStore;
  /** The stores of resources with another etcd, which are compacted too. */
  readonly otherStores: readonly ObjectStore[];
  readonly prefix: string;
  readonly compactionIntervalMs: number;
  /** Receives the last compaction of each store. */
  readonly compactions: CompactionsByStore;
  readonly caches: WatchCache;
  /** Resources besides namespaces whose caches are filled before the server is ready. */
  readonly warm: ReadonlySet<ResourceDefinition>;
  readonly registries: Registries;
  readonly services: ServiceAllocation;
  /** Serves custom resources from the first call on; `ready` waits for the ones in the store. */
  readonly serveCustomResources: () => { readonly ready: () => Promise<void> };
  /** Serves the versions of other servers, and writes the APIServices of this one. */
  readonly prepareAggregation: () => Promise<void>;
  /** True to create the default roles and bindings. */
  readonly defaultRoles: boolean;
  /** The release of the default roles. */
  readonly release: string;
  /** True if a feature gate is on. */
  readonly isFeatureEnabled: (gate: string) => boolean;
  /** The identity of this server; undefined: there is no identity Lease. */
  readonly serverId: string | undefined;
  /** A random ID of this start of the program, for all of its processes. */
  readonly serverStart: string;
  /** The validity of the identity Lease, and the time between renewals. */
  readonly leaseTimes: { readonly validSeconds: number; readonly renewMs: number };
  /** How the Endpoints of the API's own Service follow the servers. */
  readonly endpoints: EndpointsOptions;
  /** Returns the address for peers, given the port; undefined: there are no peers. */
  readonly peerAddress: ((port: number) => ServerAddress) | undefined;
  /** Elects the leaders of components until a signal aborts; undefined: the gate is off. */
  readonly coordinate: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** True if this server publishes StorageVersions. */
  readonly storageVersions: boolean;
  /** Starts to follow the other servers of the store. */
  readonly followPeers: () => void;
  /** True if flow control is on. */
  readonly flowControl: boolean;
  /** The address of this server for other machines. */
  readonly advertiseAddress: string | undefined;
  /** Resolves with the port when the server listens. */
  readonly listening: Promise<number>;
  readonly log: Logger;
  /** Resolves when the store's identity is checked; `recheckIdentity` checks it again. */
  readonly checked: Promise<void>;
  readonly recheckIdentity: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** The background work of a server. */
export interface Background {
  /**
   * The reason for which the start, or the restart after a change of the store, is incomplete;
   * undefined after it.
   */
  readonly startProblem: () => string | undefined;
  /** Resolves when the start is complete. */
  readonly started: Promise<void>;
  /** Removes this server from the API's Service before it stops; gives up after a timeout. */
  readonly leave: () => Promise<void>;
}

async function prepare(dependencies: BackgroundDependencies): Promise<void> {
  const { catalogue, caches, warm, signal } = dependencies;
  const namespaces = catalogue.current.resource('', 'namespaces');
  const definitions = new Set([...(namespaces ? [namespaces] : []), ...warm]);
  for (const definition of definitions) cacheOf(caches, definition);
  await caches.warm([...definitions].flatMap(({ storage }) => storage ?? []));
  // The repair registers the allocations of existing Services before a Service can be created.
  await dependencies.services.repair(signal);
  await dependencies.services.prepare(signal);
  await ensureSystemObjects(dependencies, signal);
  await recordTokenTracking(dependencies);
  await dependencies.serveCustomResources().ready();
  await dependencies.prepareAggregation();
  await publishStorageVersions(dependencies);
  await offerService(dependencies);
}

/** How often the tracking record is checked: a client may delete it. */
const trackingIntervalMs = 60_000;

/**
 * Creates the tracking record of legacy tokens. A failure does not keep the server from becoming
 * ready, because a webhook for ConfigMaps may depend on this server.
 */
async function recordTokenTracking(dependencies: BackgroundDependencies): Promise<void> {
  const { log, signal } = dependencies;
  try {
    await ensureTokenTracking(dependencies, signal);
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'the tracking of legacy tokens is not recorded; trying again');
  }
}

async function recordPeriodically(dependencies: BackgroundDependencies): Promise<void> {
  const { signal } = dependencies;
  while (!signal.aborted) {
    await pause(trackingIntervalMs, signal, { ref: false });
    if (!signal.aborted) await recordTokenTracking(dependencies);
  }
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
  dependencies: BackgroundDependencies,
  own: PublishedAddress,
  leaving: boolean,
) => Promise<readonly PublishedAddress[] | undefined>;

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
async function offerService(dependencies: BackgroundDependencies, leaving = false): Promise<void> {
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
async function offerPeriodically(dependencies: BackgroundDependencies, left: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([dependencies.signal, left]);
  while (!signal.aborted) {
    await pause(presence.refreshMs, signal, { ref: false });
    if (!signal.aborted) await offerService(dependencies);
  }
}

/** Publishes the StorageVersions of this server, after its identity Lease. */
async function publishStorageVersions(dependencies: BackgroundDependencies): Promise<void> {
  const { serverId, storageVersions } = dependencies;
  if (!storageVersions || serverId === undefined) return;
  await renewIdentityLease({ ...dependencies, serverId, peerAddress: undefined });
  await writeStorageVersions({ ...dependencies, serverId });
}

/** Renews the identity Lease of this server, and its address for peers. */
async function identify(dependencies: BackgroundDependencies, left: AbortSignal): Promise<void> {
  const { serverId, peerAddress, listening, followPeers } = dependencies;
  if (serverId === undefined) return;
  followPeers();
  const address = peerAddress?.(await listening);
  const text = address && hostOf(address);
  const work = [keepIdentityLease({ ...dependencies, serverId, peerAddress: text }, left)];
  if (address) work.push(renewPeerAddress({ ...dependencies, serverId, address }, left));
  await Promise.all(work);
}

/** The first release in which a server that stops deletes its Lease. */
const leaseEndsSince = '1.36';

/** Removes the identity Lease of this server, and its address for peers. */
async function giveUpIdentity(dependencies: BackgroundDependencies, serverId: string): Promise<void> {
  const { release, peerAddress, log, signal } = dependencies;
  try {
    if (peerAddress) await withdrawFromPeers(dependencies, serverId);
    if (isSince(release, leaseEndsSince))
      await deleteIdentityLease({ ...dependencies, serverId, peerAddress: undefined });
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'the identity of this server could not be removed');
  }
}

/** Timeout of leaving the Service. If the store is down, the presence key expires. */
const leaveMs = 2_000;

/** Longer than any write takes between allocating an address and storing its Service. */
const repairIntervalMs = 300_000;

async function repairPeriodically(dependencies: BackgroundDependencies): Promise<void> {
  const { services, log, signal } = dependencies;
  while (!signal.aborted) {
    await pause(repairIntervalMs, signal, { ref: false });
    if (signal.aborted) return;
    try {
      await services.repair(signal);
    } catch (error) {
      log.warn({ err: error }, 'the addresses of Services could not be checked; trying again');
    }
  }
}

/**
 * Prepares the store once its identity is checked, then compacts and repairs it periodically until
 * the signal aborts. When the caches lose the history of the store, it may have been replaced: it
 * is checked and prepared again, and the server is not ready until then.
 */
export function startBackground(dependencies: BackgroundDependencies): Background {
  const { checked, recheckIdentity, caches, log, signal } = dependencies;
  let problem: string | undefined;
  const left = new AbortController();
  const prepareWhen = async (check: Promise<void>, why: string): Promise<void> => {
    problem = why;
    await check;
    while (problem !== undefined && !signal.aborted) {
      try {
        await prepare(dependencies);
        problem = undefined;
      } catch (error) {
        if (!signal.aborted)
          log.warn(
            { err: error },
            'the caches or system objects could not be prepared; the server is not ready and tries again',
          );
        await pause(retryMs, undefined, { ref: false });
      }
    }
  };
  const started = prepareWhen(checked, 'the server is starting');
  let last = started;
  caches.onReset(() => {
    const why = 'the history of the store was lost; the caches are being rebuilt';
    problem = why;
    const renewed = recheckIdentity();
    // In sequence, because each run sets and clears `problem`.
    last = last.catch(() => {}).then(() => prepareWhen(renewed, why));
    ignoreRefusal(renewed, last);
  });
  ignoreRefusal(
    checked.then(() => compactPeriodically(dependencies)),
    checked.then(() => repairPeriodically(dependencies)),
    started.then(() => recordPeriodically(dependencies)),
    started.then(() => offerPeriodically(dependencies, left.signal)),
    started.then(() => identify(dependencies, left.signal)),
    started.then(() => dependencies.coordinate?.(AbortSignal.any([signal, left.signal]))),
    started,
  );
  const leave = async (): Promise<void> => {
    left.abort();
    if (problem !== undefined) return;
    const work = [
      ...(dependencies.advertiseAddress === undefined ? [] : [offerService(dependencies, true)]),
      ...(dependencies.serverId === undefined ? [] : [giveUpIdentity(dependencies, dependencies.serverId)]),
    ];
    if (work.length === 0) return;
    await Promise.race([Promise.all(work), pause(leaveMs, undefined, { ref: false })]);
  };
  return { startProblem: () => problem, started, leave };
}

/** The server reports a store of other identifiers; here that rejection is ignored. */
function ignoreRefusal(...promises: readonly Promise<void>[]): void {
  for (const promise of promises) promise.catch(() => {});
}

function compactPeriodically(dependencies: BackgroundDependencies): void {
  const { store, otherStores, prefix, compactionIntervalMs: intervalMs, compactions, log, signal } = dependencies;
  if (intervalMs === 0) return;
  for (const one of [store, ...otherStores]) {
    const notes = compactions.get(one);
    void runCompaction({
      store: one,
      prefix,
      intervalMs,
      signal,
      onCompacted(revision) {
        if (notes) Object.assign(notes, { revision, endedMs: Date.now(), problem: '' });
        log.info({ revision }, 'compacted the history of the store');
      },
      onError(error) {
        if (notes) notes.problem = error instanceof Error ? error.message : String(error);
        log.warn({ err: error }, 'the store could not be compacted; trying again');
      },
    });
  }
}

/** The dependencies, and the features whose objects are created. */
interface SystemObjectsDependencies {
  readonly registries: Registries;
  readonly catalogue: LiveCatalogue;
  readonly identifiers: Identifiers;
  readonly defaultRoles: boolean;
  /** The release of the default roles. */
  readonly release: string;
  /** True if a feature gate is on. */
  readonly isFeatureEnabled: (gate: string) => boolean;
  readonly flowControl: boolean;
}

/**
 * Creates the objects that every cluster has, and the objects of the enabled features. Called
 * before the server is ready, with the cache filled.
 */
async function ensureSystemObjects(dependencies: SystemObjectsDependencies, signal: AbortSignal): Promise<void> {
  const { registries, identifiers, defaultRoles, flowControl } = dependencies;
  await ensureNamespaces(registries, identifiers, signal);
  await Promise.all([
    ensurePriorityClasses(registries, identifiers, signal),
    flowControl ? ensureFlowControlObjects(dependencies, signal) : undefined,
    defaultRoles ? reconcileDefaultRoles(dependencies, signal) : undefined,
  ]);
}

async function ensurePriorityClasses(
  registries: Registries,
  identifiers: Identifiers,
  signal: AbortSignal,
): Promise<void> {
  const classes = registries.forResource(`scheduling.${identifiers.apiDomain}`, 'priorityclasses');
  if (!classes) return;
  const scope = systemScope(identifiers, classes, signal);
  for (const object of systemPriorityClasses()) await ensureObject(classes, scope, object);
}
