import type { HealthCheck } from '../api/health/handle-health.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { ObjectStore, StoreStatus } from '../storage/port/object-store.ts';
import { isSince } from '../scheme/api-release.ts';
import type { WatchCache } from '../storage/cache/watch-cache.ts';

interface HealthDependencies {
  readonly store: ObjectStore;
  /** The stores of resources with another etcd. */
  readonly otherStores: readonly ObjectStore[];
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
  /** The timeouts of the store's health check, a cheap read. */
  readonly storeTimeouts: { readonly livezMs: number; readonly readyzMs: number };
  /** True if flow control is on: its objects are part of the start. */
  readonly flowControl: boolean;
  /** True if the server has APIServices. */
  readonly aggregation: boolean;
  /** True if a feature gate is on. */
  readonly isFeatureEnabled: (gate: string) => boolean;
  /** True if requests are forwarded to peers. */
  readonly peers: boolean;
  /** The emulated release, which decides how checks are named. */
  readonly release: string;
  readonly identifiers: Identifiers;
  readonly shutdown: AbortSignal;
  /** The health checks of key management plugins. */
  readonly encryption: readonly HealthCheck[];
}

/** The alarms of etcd. The name of a check is all that callers of `/readyz` learn. */
const alarmNames = ['NOSPACE', 'CORRUPT'];

/**
 * One check for each alarm of the store: it cannot do its work while there is one, which restarts
 * of this server do not change. A store that does not answer fails the check `etcd` alone.
 */
function alarmChecks(status: () => Promise<StoreStatus>): readonly HealthCheck[] {
  let reading: Promise<readonly string[]> | undefined;
  // The checks of one request share the call.
  const present = (): Promise<readonly string[]> =>
    (reading ??= status()
      .then(
        ({ alarms = [] }) => alarms,
        () => [],
      )
      .finally(() => (reading = undefined)));
  return alarmNames.map((alarm) => ({
    name: `etcd-alarm-${alarm.toLowerCase()}`,
    check: async () => failIf((await present()).includes(alarm) ? `etcd has the alarm ${alarm}` : undefined),
  }));
}

function failIf(problem: string | undefined): void {
  if (problem) throw new Error(problem);
}

/** A part of the work after the start of the listener. */
interface StartHook {
  readonly name: string;
  /** False if this server has no such part. */
  readonly exists?: (dependencies: HealthDependencies) => boolean;
  /** The first release with this name, and the first without it. */
  readonly since?: string;
  readonly until?: string;
}

const withAggregation = ({ aggregation }: HealthDependencies): boolean => aggregation;
const withFlowControl = ({ flowControl }: HealthDependencies): boolean => flowControl;
const withPeers = ({ peers }: HealthDependencies): boolean => peers;
const withGate =
  (...gates: readonly string[]) =>
  ({ isFeatureEnabled }: HealthDependencies): boolean =>
    gates.every(isFeatureEnabled);

/** The first release that names the checks which earlier releases do not have. */
const named = '1.27';

/**
 * The work after the start of the listener, in the order of kube-apiserver and by the names that it
 * gives its parts, which monitoring knows: the caches that admission and the API read; the kinds
 * that definitions define; the namespaces, the Service and the addresses of the API; the default
 * roles; the priority classes of the system; the objects of flow control; the published CAs of
 * clients; the APIServices, their availability and their documents. All of it is one preparation.
 */
const startHooks: readonly StartHook[] = [
  { name: 'poststarthook/start-<prefix>apiserver-admission-initializer', until: '1.30' },
  { name: 'poststarthook/start-apiserver-admission-initializer', since: '1.30' },
  { name: 'poststarthook/generic-apiserver-start-informers' },
  { name: 'poststarthook/priority-and-fairness-config-consumer', exists: withFlowControl, since: named },
  { name: 'poststarthook/priority-and-fairness-filter', exists: withFlowControl, since: named },
  { name: 'poststarthook/storage-object-count-tracker-hook', since: named },
  { name: 'poststarthook/start-apiextensions-informers' },
  { name: 'poststarthook/start-apiextensions-controllers' },
  { name: 'poststarthook/crd-informer-synced' },
  { name: 'poststarthook/start-system-namespaces-controller', since: '1.27' },
  {
    name: 'poststarthook/start-<prefix>apiserver-coordinated-leader-election-controller',
    exists: withGate('CoordinatedLeaderElection'),
  },
  {
    name: 'poststarthook/peer-endpoint-reconciler-controller',
    exists: withGate('UnknownVersionInteroperabilityProxy'),
  },
  { name: 'poststarthook/mixed-version-proxy-handler', exists: withPeers },
  { name: 'poststarthook/local-discovery-cache-sync', exists: withPeers },
  { name: 'poststarthook/peer-discovery-workers', exists: withPeers },
  { name: 'poststarthook/bootstrap-controller' },
  {
    name: 'poststarthook/start-<prefix>apiserver-identity-lease-controller',
    exists: withGate('APIServerIdentity'),
    since: named,
  },
  {
    name: 'poststarthook/start-<prefix>apiserver-identity-lease-garbage-collector',
    exists: withGate('APIServerIdentity'),
    since: named,
  },
  { name: 'poststarthook/storage-readiness', exists: withGate('WatchCacheInitializationPostStartHook') },
  { name: 'poststarthook/start-legacy-token-tracking-controller', since: named },
  { name: 'poststarthook/start-service-ip-repair-controllers', since: named },
  { name: 'poststarthook/rbac/bootstrap-roles', exists: ({ defaultRoles }) => defaultRoles },
  { name: 'poststarthook/scheduling/bootstrap-system-priority-classes' },
  { name: 'poststarthook/priority-and-fairness-config-producer', exists: withFlowControl },
  {
    name: 'poststarthook/start-<product>-service-cidr-controller',
    exists: withGate('MultiCIDRServiceAllocator'),
    since: '1.33',
  },
  { name: 'poststarthook/start-cluster-authentication-info-controller' },
  { name: 'poststarthook/start-<prefix>aggregator-informers', exists: withAggregation },
  { name: 'poststarthook/apiservice-registration-controller', exists: withAggregation },
  { name: 'poststarthook/apiservice-status-available-controller', exists: withAggregation, until: '1.31' },
  { name: 'poststarthook/apiservice-status-local-available-controller', exists: withAggregation, since: '1.31' },
  { name: 'poststarthook/apiservice-status-remote-available-controller', exists: withAggregation, since: '1.31' },
  { name: 'poststarthook/apiservice-discovery-controller', exists: withAggregation, since: '1.26' },
  { name: 'poststarthook/apiservice-wait-for-first-sync', exists: withAggregation, since: '1.31' },
  {
    name: 'poststarthook/built-in-resources-storage-version-updater',
    exists: withGate('StorageVersionAPI', 'APIServerIdentity'),
  },
  { name: 'poststarthook/<prefix>apiserver-autoregistration', exists: withAggregation },
  { name: 'autoregister-completion', exists: withAggregation },
  { name: 'poststarthook/apiservice-openapi-controller', exists: withAggregation },
  { name: 'poststarthook/apiservice-openapiv3-controller', exists: withAggregation, since: '1.24' },
];

/** The first release that checks the certificate for the server's own requests. */
const loopbackSince = '1.35';

function hookNames(dependencies: HealthDependencies): readonly string[] {
  const { prefix, product } = dependencies.identifiers;
  const { release } = dependencies;
  const ofRelease = startHooks.filter(
    ({ since = '1.0', until }) => isSince(release, since) && !(until && isSince(release, until)),
  );
  const present = ofRelease.filter(({ exists }) => exists?.(dependencies) ?? true);
  return present.map(({ name }) => name.replace('<prefix>', prefix).replace('<product>', product));
}

/**
 * The checks of `/livez` and `/readyz` (spec 4.9), in the order of kube-apiserver. `/healthz` has
 * the checks of `/livez`.
 */
export function healthChecks(dependencies: HealthDependencies): {
  readonly livez: readonly HealthCheck[];
  readonly readyz: readonly HealthCheck[];
} {
  const { store, caches, logIsWritable, startProblem, started, livezGraceMs, shutdown, encryption } = dependencies;
  const hooks = hookNames(dependencies);
  const graceEndMs = performance.now() + livezGraceMs;
  let hasStarted = false;
  started.then(
    () => (hasStarted = true),
    () => {},
  );
  const unfinished = (): string | undefined => (hasStarted ? undefined : 'not finished');
  const isPending = (): boolean => !hasStarted;
  const inGrace = (): boolean => performance.now() < graceEndMs;
  const ping: HealthCheck = { name: 'ping', check: () => {} };
  const log: HealthCheck = { name: 'log', check: () => failIf(logIsWritable() ? undefined : 'the log is closed') };
  const { livezMs, readyzMs } = dependencies.storeTimeouts;
  const status = (timeoutMs: number, alarms = false): Promise<StoreStatus> =>
    store.status({ alarms, signal: AbortSignal.timeout(timeoutMs) });
  // The server's own requests use no certificate, so that the check always succeeds.
  const loopback: readonly HealthCheck[] = isSince(dependencies.release, loopbackSince)
    ? [{ name: 'loopback-serving-certificate', check: () => {} }]
    : [];
  const etcd = (timeoutMs: number): HealthCheck => ({
    name: 'etcd',
    check: async () => void (await status(timeoutMs)),
  });
  const overrides = (timeoutMs: number): readonly HealthCheck[] =>
    dependencies.otherStores.map((other, index) => ({
      name: `etcd-override-${index}`,
      check: async () => void (await other.status({ signal: AbortSignal.timeout(timeoutMs) })),
    }));
  return {
    livez: [
      ping,
      log,
      ...loopback,
      etcd(livezMs),
      ...overrides(livezMs),
      ...encryption,
      ...hooks.map((name) => ({ name, check: () => failIf(inGrace() ? undefined : unfinished()) })),
    ],
    readyz: [
      ping,
      log,
      etcd(readyzMs),
      ...overrides(readyzMs),
      ...encryption,
      { name: 'informer-sync', isPending, check: () => failIf(startProblem() ?? caches.problems()[0]) },
      ...hooks.map((name) => ({ name, isPending, check: () => failIf(unfinished()) })),
      { name: 'storage-watch', check: () => failIf(caches.watchProblem()) },
      ...alarmChecks(() => status(readyzMs, true)),
      { name: 'shutdown', check: () => failIf(shutdown.aborted ? 'the server is stopping' : undefined) },
    ],
  };
}
