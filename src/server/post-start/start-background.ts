import { pause } from '../../async/timers.ts';
import { cacheOf } from '../../registry/create-registries.ts';
import type { ResourceDefinition } from '../../registry/definition/resource-definition.ts';
import { runCompaction } from '../../storage/port/compaction.ts';
import type { ObjectStore } from '../../storage/port/object-store.ts';
import type { WatchCache } from '../../storage/cache/watch-cache.ts';
import type { CompactionsByStore } from './compaction-notes.ts';
import { ensureSystemObjects, type SystemObjectsDependencies } from './ensure-system-objects.ts';
import { ensureTokenTracking } from './legacy-token-tracking.ts';
import { offerPeriodically, offerService, type ServiceOffer } from './offer-service.ts';
import { giveUpIdentity, identify, type ServerIdentity, publishStorageVersions } from './server-identity.ts';
import type { ServiceAllocation } from './service-allocation.ts';

/** Pause between attempts to prepare the store. */
const retryMs = 200;

interface BackgroundDependencies extends SystemObjectsDependencies, ServiceOffer, ServerIdentity {
  /** The stores of resources with another etcd, which are compacted too. */
  readonly otherStores: readonly ObjectStore[];
  readonly compactionIntervalMs: number;
  /** Receives the last compaction of each store. */
  readonly compactions: CompactionsByStore;
  readonly caches: WatchCache;
  /** Resources besides namespaces whose caches are filled before the server is ready. */
  readonly warm: ReadonlySet<ResourceDefinition>;
  readonly services: ServiceAllocation;
  /** Serves custom resources from the first call on; `ready` waits for the ones in the store. */
  readonly serveCustomResources: () => { readonly ready: () => Promise<void> };
  /** Serves the versions of other servers, and writes the APIServices of this one. */
  readonly prepareAggregation: () => Promise<void>;
  /** Elects the leaders of components until a signal aborts; undefined: the gate is off. */
  readonly coordinate: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Resolves when the store's identity is checked; `recheckIdentity` checks it again. */
  readonly checked: Promise<void>;
  readonly recheckIdentity: () => Promise<void>;
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
