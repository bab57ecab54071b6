import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { Registries } from '../registry/registry.ts';
import type { Catalogue } from '../scheme/catalogue.ts';
import { runCompaction } from '../storage/compaction.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { WatchCache } from '../storage/watch-cache.ts';
import { ensureSystemObjects } from './ensure-system-objects.ts';
import type { ServiceAllocation } from './service-allocation.ts';
import { ensureSystemService } from './system-service.ts';

/** Pause before another try to prepare a store that failed. */
const retryMs = 200;

/** Resources that nearly every request or controller looks at; they are read before the server says that it is ready. */
const warmResources: ReadonlySet<string> = new Set(['namespaces']);

interface BackgroundDependencies {
  readonly identifiers: Identifiers;
  readonly catalogue: Catalogue;
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
  /** Resolves when the store may be written. */
  readonly claimed: Promise<void>;
  readonly signal: AbortSignal;
}

/** What goes on besides answering requests. */
export interface Background {
  /** Why the server has not finished starting; undefined when it has. */
  readonly startProblem: () => string | undefined;
  /** Resolves when that is over. */
  readonly started: Promise<void>;
}

async function prepare(dependencies: BackgroundDependencies): Promise<void> {
  const { identifiers, catalogue, caches, registries, signal } = dependencies;
  const stored = catalogue.resources.filter(({ group, resource }) => group === '' && warmResources.has(resource));
  await caches.warm(stored.flatMap(({ storage }) => storage ?? []));
  // Before the first Service is made: what older ones hold must be known.
  await dependencies.services.repair(signal);
  await ensureSystemObjects(registries, identifiers, signal);
  await offerService(dependencies);
}

/** The Service of the API is a help to others; a server that cannot offer it serves all the same, and tries again. */
async function offerService(dependencies: BackgroundDependencies): Promise<void> {
  const { registries, identifiers, services, advertiseAddress, listening, log, signal } = dependencies;
  const clusterIp = services.clusterIps.at(0);
  try {
    const port = await listening;
    await ensureSystemService({ registries, identifiers, clusterIp, advertiseAddress, port }, signal);
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'the service of the API could not be offered');
  }
}

/** Longer than any write can take between taking an address and storing its Service. */
const repairIntervalMs = 300_000;

async function repairFromTimeToTime(dependencies: BackgroundDependencies): Promise<void> {
  const { services, log, signal } = dependencies;
  while (!signal.aborted) {
    await sleep(repairIntervalMs, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    try {
      await services.repair(signal);
    } catch (error) {
      log.warn({ err: error }, 'the addresses of services could not be checked');
    }
    await offerService(dependencies);
  }
}

/** Prepares the store once it is claimed, and compacts it from time to time, until the signal aborts. */
export function startBackground(dependencies: BackgroundDependencies): Background {
  const { claimed, log, signal } = dependencies;
  let problem: string | undefined = 'the server is starting';
  const start = async (): Promise<void> => {
    await claimed;
    compactFromTimeToTime(dependencies);
    while (problem !== undefined && !signal.aborted) {
      try {
        await prepare(dependencies);
        problem = undefined;
        void repairFromTimeToTime(dependencies);
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'the store could not be prepared yet');
        await sleep(retryMs, undefined, { ref: false });
      }
    }
  };
  const started = start();
  // A claim that is refused is the server's to tell.
  started.catch(() => {});
  return { startProblem: () => problem, started };
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
