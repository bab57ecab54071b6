import type { Logger } from 'pino';
import type { HealthCheck } from '../api/health/handle-health.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import { pluginWarnings } from '../config/flags/admission-flags.ts';
import { type ApiCache, createApiCache } from './cache/api-cache.ts';
import { identifiesClients } from './access/authenticators.ts';
import { type Certificates, openCertificates } from '../listen/certificates.ts';
import { featuresOf } from '../config/feature-gates.ts';
import { forgetRemovedSeries } from './forget-removed-series.ts';
import { allowedLabelsOf } from '../config/allowed-labels-file.ts';
import { type Egress, openEgress } from './egress/open-egress.ts';
import { checkSecurity } from './security-checks.ts';
import { cacheMetrics } from './cache/cache-metrics.ts';
import { createMetrics } from './server-metrics.ts';
import type { ServerOptions } from '../config/server-options.ts';
import type { StoredEntry, StoreOptions } from '../config/flags/store-options.ts';
import { joinedChecks, type StoreIdentityCheck, startStoreIdentityCheck } from './post-start/store-identity-check.ts';
import type { EtcdTls } from '../etcd/endpoint.ts';
import { storageKeys, storeOfKeys } from './storage-layout.ts';
import { openEtcdStore } from '../storage/etcd/etcd-store.ts';
import { MemoryStore } from '../storage/memory/memory-store.ts';
import type { ObjectStore } from '../storage/port/object-store.ts';
import { defined } from '../meta/json-value.ts';
import type { Tracing } from '../tracing/span.ts';
import { openServerTracing } from './server-tracing.ts';
import { createLog } from '../log/create-log.ts';
import type { LogComponent } from '../config/flags/log-components.ts';
import type { OpenTunnel } from '../outbound/proxy/send-connect.ts';
import { resourceSegment } from '../storage/port/object-key.ts';
import { connectRemoteStore } from '../storage/remote/remote-store.ts';
import type { EncryptionDependencies, ServerEncryption } from './encryption.ts';

/** The base of all parts of a server: log, certificates, store, metrics and cache. */
export interface ServerRuntime {
  /** The log without a component. */
  readonly log: Logger;
  /** The log of a component. */
  readonly logOf: (component: LogComponent) => Logger;
  readonly logIsWritable: () => boolean;
  readonly certificates: Certificates;
  readonly identityCheck: StoreIdentityCheck;
  /** The stores of resources with another etcd. */
  readonly otherStores: readonly ObjectStore[];
  readonly metrics: MetricsRegistry;
  readonly slis: MetricsRegistry;
  /** Creates spans; absent if the server does not trace. */
  readonly tracing: Tracing | undefined;
  /** The connections to other servers. */
  readonly egress: Egress;
  readonly cache: ApiCache;
  /** The health checks of key management plugins. */
  readonly encryptionChecks: readonly HealthCheck[];
  /** Aborts when the server begins to drain; all background work ends then. */
  readonly signal: AbortSignal;
  /** Aborts the signal. */
  drain(): void;
  /** Runs before the cache and the store are closed. */
  onClose(work: () => Promise<void>): void;
  /** Drains, and releases files, cache and store. */
  close(): Promise<void>;
}

/**
 * Opens the runtime of a server. Rejects if a file cannot be read, or if everyone or nobody
 * would have access. `notes` are warnings from before there was a log.
 */
export async function openRuntime(options: ServerOptions, notes: readonly string[]): Promise<ServerRuntime> {
  const { store: storeOptions, prefix, identifiers } = options;
  const serverLog = createLog(options);
  const log = serverLog.of('start');
  const draining = new AbortController();
  const { signal } = draining;
  const certificates = await openCertificates(options, serverLog.of('certificates'));
  const { etcd } = certificates;
  for (const warning of [...notes, ...featuresOf(options).warnings, ...pluginWarnings(options)]) log.warn(warning);
  for (const warning of await checkSecurity(options, await identifiesClients(options))) log.warn(warning);
  const { metrics, slis } = createMetrics(options, log, await allowedLabelsOf(options));
  const egress = await openEgress(options, metrics);
  const tracing = await openServerTracing(options, { metrics, log: serverLog.of('tracing') });
  const access = { tracing, tls: etcd && (() => etcd.current), open: egress.tunnels.etcd };
  const opened = await openStore(storeOptions, prefix, access);
  const keys = storageKeys(options);
  const encryption = await startEncryption(options, opened, {
    metrics,
    log: serverLog.of('storage'),
    segmentOf: keys && ((key) => keys.segmentOf(key)),
  });
  const checkOf = (encrypted: ObjectStore, one: StoreOptions): StoreIdentityCheck =>
    startStoreIdentityCheck({
      store: keys ? storeOfKeys(encrypted, keys, options) : encrypted,
      layout: keys ? 'upstream' : 'own',
      place: storePlace(one),
      prefix,
      identifiers,
      log: serverLog.of('storage'),
      signal,
    });
  const mainCheck = checkOf(encryption.store, storeOptions);
  const { store } = mainCheck;
  const otherChecks: StoreIdentityCheck[] = [];
  const otherStores = await openOtherStores(storeOptions, async (one) => {
    const check = checkOf(encryption.wrap(await openStore(one, prefix, access)), one);
    otherChecks.push(check);
    return check.store;
  });
  const identityCheck = joinedChecks(mainCheck, otherChecks);
  const cache = createApiCache(options, { store, otherStores, metrics, log: serverLog.of('storage'), tracing });
  encryption.onReadable(() => cache.caches.retryUnreadable());
  metrics.register(...cacheMetrics(cache.caches, cache.catalogue));
  forgetRemovedSeries({ catalogue: cache.catalogue, metrics });
  let beforeClose: (() => Promise<void>) | undefined;
  return {
    log,
    logOf: (component) => serverLog.of(component),
    logIsWritable: serverLog.isWritable,
    certificates,
    identityCheck,
    otherStores: [...new Set(otherStores.values())],
    metrics,
    slis,
    tracing,
    egress,
    cache,
    encryptionChecks: encryption.checks,
    signal,
    drain: () => draining.abort(),
    onClose: (work) => (beforeClose = work),
    async close() {
      draining.abort();
      certificates.close();
      await beforeClose?.();
      await cache.caches.close();
      await Promise.all([store, ...new Set(otherStores.values())].map((one) => one.close()));
      encryption.close();
      await tracing?.close();
    },
  };
}

/** How etcd is connected. */
interface EtcdAccess {
  readonly tracing: Tracing | undefined;
  readonly tls: (() => EtcdTls) | undefined;
  /** Opens connections through a proxy; undefined: direct connections. */
  readonly open: OpenTunnel | undefined;
}

/**
 * Opens the store of the options. `tls` is called for each new connection to etcd. An unreachable
 * etcd causes errors on first use.
 */
async function openStore(
  options: StoreOptions,
  prefix: string,
  { tracing, tls, open }: EtcdAccess,
): Promise<ObjectStore> {
  if (options.kind === 'memory') return await openMemoryStore(options.entries ?? []);
  if (options.kind === 'remote') return await connectRemoteStore(options.endpoint);
  const { servers: endpoints, memberMaxAgeMs, leaseReuseSeconds } = options;
  return await openEtcdStore({
    endpoints,
    prefix,
    ...defined({ tls, tracing, open, memberMaxAgeMs, leaseReuseSeconds }),
  });
}

/**
 * Opens the stores of `--etcd-servers-overrides`, one for each set of servers, by the key segments
 * of their resources.
 */
async function openOtherStores(
  options: StoreOptions,
  open: (options: StoreOptions) => Promise<ObjectStore>,
): Promise<ReadonlyMap<string, ObjectStore>> {
  const bySegment = new Map<string, ObjectStore>();
  if (options.kind !== 'etcd') return bySegment;
  const byServers = new Map<string, ObjectStore>();
  for (const { servers, ...location } of options.overrides ?? []) {
    const key = servers.toSorted().join();
    const store = byServers.get(key) ?? (await open({ ...options, servers, overrides: [] }));
    byServers.set(key, store);
    bySegment.set(resourceSegment(location), store);
  }
  return bySegment;
}

async function openMemoryStore(entries: readonly StoredEntry[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  for (const { key, value, ttlSeconds } of entries) {
    await store.create(key, value, ttlSeconds === undefined ? {} : { ttlSeconds });
  }
  return store;
}

/** The store as messages name it. */
function storePlace(options: StoreOptions): string {
  if (options.kind === 'memory') return 'the store in memory';
  return options.kind === 'remote' ? `the store at ${options.endpoint}` : `etcd at ${options.servers.join(', ')}`;
}

/**
 * Opens the encryption of a server's store. The code is only loaded by servers that encrypt: with
 * the clients of key management it takes megabytes.
 */
async function startEncryption(
  options: ServerOptions,
  store: ObjectStore,
  dependencies: EncryptionDependencies,
): Promise<ServerEncryption> {
  const { encryptionConfigFile: file } = options;
  if (file === undefined) return { store, wrap: (other) => other, checks: [], onReadable: () => {}, close: () => {} };
  const { openServerEncryption } = await import('./encryption.ts');
  return openServerEncryption(options, file, store, dependencies);
}
