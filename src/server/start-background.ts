import { pause } from '../async/pause.ts';
import type { Logger } from 'pino';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { Registries } from '../registry/registry.ts';
import { cacheOf } from '../registry/create-registries.ts';
import type { LiveCatalogue } from '../registry/live-catalogue.ts';
import { runCompaction } from '../storage/compaction.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { WatchCache } from '../storage/watch-cache.ts';
import { ensureSystemObjects } from './ensure-system-objects.ts';
import type { ServiceAllocation } from './service-allocation.ts';
import { announceServer, presence, presentServers, withdrawServer } from './server-presence.ts';
import { ensureSystemService } from './system-service.ts';

/** Pause before another try to prepare a store that failed. */
const retryMs = 200;

/** Resources that nearly every request or controller looks at; they are read before the server says that it is ready. */
const warmResources: ReadonlySet<string> = new Set(['namespaces']);

interface BackgroundDependencies {
  readonly identifiers: Identifiers;
  readonly catalogue: LiveCatalogue;
  readonly store: ObjectStore;
  readonly prefix: string;
  readonly compactionIntervalMs: number;
  readonly caches: WatchCache;
  readonly registries: Registries;
  readonly services: ServiceAllocation;
  /** The address on which this server is reached from elsewhere. */
  readonly advertiseAddress: string | undefined;
  /** Resolves with the port when the server listens. */
  readonly listening: Promise<number>;
  readonly log: Logger;
  /** Resolves when the store may be written; and, claimed anew, when it may be written again. */
  readonly claimed: Promise<void>;
  readonly renewClaim: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** What goes on besides answering requests. */
interface Background {
  /** Why the server has not finished starting, or starting again over a store that changed; undefined when it has. */
  readonly startProblem: () => string | undefined;
  /** Resolves when that is over. */
  readonly started: Promise<void>;
  /** Takes this server out of the Service of the API, before it stops to answer; gives up after a while. */
  readonly leave: () => Promise<void>;
}

async function prepare(dependencies: BackgroundDependencies): Promise<void> {
  const { identifiers, catalogue, caches, registries, signal } = dependencies;
  const definitions = catalogue.current.resources.filter(
    ({ group, resource }) => group === '' && warmResources.has(resource),
  );
  for (const definition of definitions) cacheOf(caches, definition);
  await caches.warm(definitions.flatMap(({ storage }) => storage ?? []));
  // Before the first Service is made: what older ones hold must be known.
  await dependencies.services.repair(signal);
  await ensureSystemObjects(registries, identifiers, signal);
  await offerService(dependencies);
}

/** The Service of the API is a help to others; a server that cannot offer it serves all the same, and tries again. */
async function offerService(dependencies: BackgroundDependencies, leaving = false): Promise<void> {
  const { registries, identifiers, services, advertiseAddress, listening, log, signal } = dependencies;
  const clusterIp = services.clusterIps.at(0);
  try {
    const port = await listening;
    const tell = leaving ? withdrawServer : announceServer;
    if (advertiseAddress !== undefined) await tell(dependencies, { address: advertiseAddress, port });
    const servers = advertiseAddress === undefined ? undefined : await presentServers(dependencies);
    await ensureSystemService({ registries, identifiers, clusterIp, port, servers }, signal);
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'the service of the API could not be offered');
  }
}

/** While it is there, a server says so, and takes out of the Service those that no longer do. */
async function offerFromTimeToTime(dependencies: BackgroundDependencies, left: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([dependencies.signal, left]);
  while (!signal.aborted) {
    await pause(presence.refreshMs, signal, { ref: false });
    if (!signal.aborted) await offerService(dependencies);
  }
}

/** The store may be down when a server stops: the others find out by themselves. */
const leaveMs = 2_000;

/** Longer than any write can take between taking an address and storing its Service. */
const repairIntervalMs = 300_000;

async function repairFromTimeToTime(dependencies: BackgroundDependencies): Promise<void> {
  const { services, log, signal } = dependencies;
  while (!signal.aborted) {
    await pause(repairIntervalMs, signal, { ref: false });
    if (signal.aborted) return;
    try {
      await services.repair(signal);
    } catch (error) {
      log.warn({ err: error }, 'the addresses of services could not be checked');
    }
  }
}

/**
 * Prepares the store once it is claimed, and compacts it from time to time, until the signal aborts. When the caches lose its
 * history, the store may be another one: then it is claimed and prepared again, and the server is not ready until it is.
 */
export function startBackground(dependencies: BackgroundDependencies): Background {
  const { claimed, renewClaim, caches, log, signal } = dependencies;
  let problem: string | undefined;
  const left = new AbortController();
  const prepareWhen = async (claim: Promise<void>, why: string): Promise<void> => {
    problem = why;
    await claim;
    while (problem !== undefined && !signal.aborted) {
      try {
        await prepare(dependencies);
        problem = undefined;
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'the store could not be prepared yet');
        await pause(retryMs, undefined, { ref: false });
      }
    }
  };
  const started = prepareWhen(claimed, 'the server is starting');
  let last = started;
  caches.onReset(() => {
    const why = 'the history of the store was lost, and all is read anew';
    problem = why;
    const renewed = renewClaim();
    // One after the other, because each sets and clears the one problem.
    last = last.catch(() => {}).then(() => prepareWhen(renewed, why));
    ignoreRefusal(renewed, last);
  });
  ignoreRefusal(
    claimed.then(() => compactFromTimeToTime(dependencies)),
    claimed.then(() => repairFromTimeToTime(dependencies)),
    started.then(() => offerFromTimeToTime(dependencies, left.signal)),
    started,
  );
  const leave = async (): Promise<void> => {
    left.abort();
    if (dependencies.advertiseAddress === undefined || problem !== undefined) return;
    await Promise.race([offerService(dependencies, true), pause(leaveMs, undefined, { ref: false })]);
  };
  return { startProblem: () => problem, started, leave };
}

/** A claim that is refused is the server's to tell. */
function ignoreRefusal(...promises: readonly Promise<void>[]): void {
  for (const promise of promises) promise.catch(() => {});
}

function compactFromTimeToTime(dependencies: BackgroundDependencies): void {
  const { store, prefix, compactionIntervalMs: intervalMs, log, signal } = dependencies;
  if (intervalMs === 0) return;
  void runCompaction({
    store,
    prefix,
    intervalMs,
    signal,
    onCompacted: (revision) => log.info({ revision }, 'compacted the store'),
    onError: (error) => log.warn({ err: error }, 'the store could not be compacted'),
  });
}
