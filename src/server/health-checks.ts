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
  /** Resolves when the objects of the system exist. */
  readonly started: Promise<void>;
  /** True if the start creates the default roles. */
  readonly defaultRoles: boolean;
  /** How long a start may take until `/livez` fails. */
  readonly livezGraceMs: number;
  /** True if flow control is on: its objects are part of the start. */
  readonly flowControl: boolean;
  readonly shutdown: AbortSignal;
}

function failIf(problem: string | undefined): void {
  if (problem) throw new Error(problem);
}

/**
 * The work after the start of the listener, by the names that kube-apiserver gives its parts: the
 * objects of flow control, the namespaces, the Service and the addresses of the API, the default
 * roles, and the priority classes of the system.
 */
function startHooks({ defaultRoles, flowControl }: HealthDependencies): readonly string[] {
  return [
    ...(flowControl ? ['poststarthook/priority-and-fairness-config-producer'] : []),
    'poststarthook/bootstrap-controller',
    ...(defaultRoles ? ['poststarthook/rbac/bootstrap-roles'] : []),
    'poststarthook/scheduling/bootstrap-system-priority-classes',
  ];
}

/**
 * The checks of `/livez` and `/readyz` (spec 4.9), in the order of kube-apiserver. `/healthz` has
 * those of `/livez`.
 */
export function healthChecks(dependencies: HealthDependencies): {
  readonly livez: readonly HealthCheck[];
  readonly readyz: readonly HealthCheck[];
} {
  const { store, caches, logIsWritable, startProblem, started, livezGraceMs, shutdown } = dependencies;
  const hooks = startHooks(dependencies);
  const graceEndMs = performance.now() + livezGraceMs;
  let hasStarted = false;
  started.then(
    () => (hasStarted = true),
    () => {},
  );
  const unfinished = (): string | undefined => (hasStarted ? undefined : 'not finished');
  const inGrace = (): boolean => performance.now() < graceEndMs;
  const ping: HealthCheck = { name: 'ping', check: () => {} };
  const log: HealthCheck = { name: 'log', check: () => failIf(logIsWritable() ? undefined : 'the log is closed') };
  const etcd: HealthCheck = {
    name: 'etcd',
    check: async () => void (await store.status({ signal: AbortSignal.timeout(storeDeadlineMs) })),
  };
  return {
    livez: [
      ping,
      log,
      etcd,
      ...hooks.map((name) => ({ name, check: () => failIf(inGrace() ? undefined : unfinished()) })),
    ],
    readyz: [
      ping,
      log,
      etcd,
      { name: 'informer-sync', check: () => failIf(startProblem() ?? caches.problems()[0]) },
      ...hooks.map((name) => ({ name, check: () => failIf(unfinished()) })),
      { name: 'storage-watch', check: () => failIf(caches.watchProblem()) },
      { name: 'shutdown', check: () => failIf(shutdown.aborted ? 'the server is stopping' : undefined) },
    ],
  };
}
