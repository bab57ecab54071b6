import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { ensureNamespaces } from '../registry/ensure-namespaces.ts';
import type { Registries } from '../registry/registry.ts';
import type { Catalogue } from '../scheme/catalogue.ts';
import { runCompaction } from '../storage/compaction.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { WatchCache } from '../storage/watch-cache.ts';
import type { ServerOptions } from './server-options.ts';

/** Pause before another try to prepare a store that does not answer. */
const retryMs = 200;

/** Resources that nearly every request or controller looks at; they are read before the server says that it is ready. */
const warmResources: readonly string[] = ['namespaces'];

interface BackgroundDependencies {
  readonly options: ServerOptions;
  readonly identifiers: Identifiers;
  readonly catalogue: Catalogue;
  readonly store: ObjectStore;
  readonly caches: WatchCache;
  readonly registries: Registries;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** What goes on besides answering requests. */
export interface Background {
  /** Why the server has not finished starting; undefined when it has. */
  readonly startProblem: () => string | undefined;
  /** Resolves when the first try to prepare the store has ended, well or not. */
  readonly firstTry: Promise<void>;
}

async function prepare({ identifiers, catalogue, caches, registries, signal }: BackgroundDependencies): Promise<void> {
  const stored = catalogue.resources.filter(({ group, resource }) => group === '' && warmResources.includes(resource));
  await caches.warm(stored.flatMap(({ storage }) => storage ?? []));
  await ensureNamespaces(registries, identifiers, signal);
}

/** Prepares the store, again until it answers, and compacts it from time to time, until the signal aborts. */
export function startBackground(dependencies: BackgroundDependencies): Background {
  const { options, store, log, signal } = dependencies;
  let problem: string | undefined = 'the server is starting';
  const attempt = async (): Promise<boolean> => {
    try {
      await prepare(dependencies);
      problem = undefined;
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the store could not be prepared yet');
      problem = 'the store could not be prepared yet';
    }
    return problem === undefined || signal.aborted;
  };
  const keepTrying = async (done: boolean): Promise<void> => {
    for (let prepared = done; !prepared; prepared = await attempt()) await sleep(retryMs, undefined, { ref: false });
  };
  const firstTry = attempt();
  void firstTry.then(keepTrying);
  if (options.compactionIntervalMs > 0) {
    void runCompaction({
      store,
      prefix: options.prefix,
      intervalMs: options.compactionIntervalMs,
      signal,
      onCompacted: (revision) => log.info({ revision }, 'compacted the store'),
      onError: (error) => log.warn({ err: error }, 'the store could not be compacted'),
    });
  }
  return { startProblem: () => problem, firstTry: firstTry.then(() => {}) };
}
