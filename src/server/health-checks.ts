import type { HealthCheck } from '../http/health/handle-health.ts';
import type { ObjectStore } from '../storage/port/object-store.ts';
import type { WatchCache } from '../storage/cache/watch-cache.ts';

/** Timeout of the store's health check, which is a cheap read. */
const storeDeadlineMs = 2_000;

interface HealthDependencies {
  readonly store: ObjectStore;
  readonly caches: WatchCache;
  /** Reports whether a log record can be written. */
  readonly logIsWritable: () => boolean;
  /** The reason for which the start is incomplete; undefined after it. */
  readonly startProblem: () => string | undefined;
  readonly shutdown: AbortSignal;
}

function failIf(problem: string | undefined): void {
  if (problem) throw new Error(problem);
}

/**
 * The checks of `/livez` and `/readyz` (spec 4.9). A server without etcd is alive but not ready:
 * a restart would not help.
 */
export function healthChecks(dependencies: HealthDependencies): {
  readonly livez: readonly HealthCheck[];
  readonly readyz: readonly HealthCheck[];
} {
  const { store, caches, logIsWritable, startProblem, shutdown } = dependencies;
  const ping: HealthCheck = { name: 'ping', check: () => {} };
  const log: HealthCheck = { name: 'log', check: () => failIf(logIsWritable() ? undefined : 'the log is closed') };
  const etcd: HealthCheck = {
    name: 'etcd',
    check: async () => void (await store.status({ signal: AbortSignal.timeout(storeDeadlineMs) })),
  };
  return {
    livez: [ping, log],
    readyz: [
      ping,
      log,
      etcd,
      { name: 'caches', check: () => failIf(startProblem() ?? caches.problems()[0]) },
      { name: 'storage-watch', check: () => failIf(caches.watchProblem()) },
      { name: 'shutdown', check: () => failIf(shutdown.aborted ? 'the server is stopping' : undefined) },
    ],
  };
}
