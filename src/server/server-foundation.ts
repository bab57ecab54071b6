import type { Logger } from 'pino';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import { pluginWarnings } from '../config/flags/admission-flags.ts';
import { type ApiCache, createApiCache } from './cache/api-cache.ts';
import { identifiesClients } from './access/authenticators.ts';
import { type Certificates, openCertificates } from '../listen/certificates.ts';
import { featuresOf } from '../config/feature-gates.ts';
import { forgetRemovedSeries } from './forget-removed-series.ts';
import { createLog } from './log.ts';
import { openStore, storePlace } from './open-store.ts';
import { checkSecurity } from './security-checks.ts';
import { cacheMetrics, createMetrics } from './server-metrics.ts';
import type { ServerOptions } from '../config/server-options.ts';
import { type StoreIdentityCheck, startStoreIdentityCheck } from './post-start/store-identity-check.ts';

/** The base of all parts of a server: log, certificates, store, metrics and cache. */
export interface ServerFoundation {
  readonly log: Logger;
  readonly logIsWritable: () => boolean;
  readonly certificates: Certificates;
  readonly identityCheck: StoreIdentityCheck;
  readonly metrics: MetricsRegistry;
  readonly slis: MetricsRegistry;
  readonly cache: ApiCache;
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
 * Opens the foundation of a server. Rejects if a file cannot be read, or if everyone or nobody
 * would have access. `notes` are warnings from before there was a log.
 */
export async function openFoundation(options: ServerOptions, notes: readonly string[]): Promise<ServerFoundation> {
  const { store: storeOptions, prefix, identifiers } = options;
  const { log, isWritable: logIsWritable } = createLog(options.logLevel);
  const draining = new AbortController();
  const { signal } = draining;
  const certificates = await openCertificates(options, log);
  const { etcd } = certificates;
  for (const warning of [...notes, ...featuresOf(options).warnings, ...pluginWarnings(options)]) log.warn(warning);
  for (const warning of await checkSecurity(options, await identifiesClients(options))) log.warn(warning);
  const identityCheck = startStoreIdentityCheck({
    store: await openStore(storeOptions, prefix, etcd && (() => etcd.current)),
    place: storePlace(storeOptions),
    prefix,
    identifiers,
    log,
    signal,
  });
  const { store } = identityCheck;
  const { metrics, slis } = createMetrics(options, log);
  const cache = createApiCache(options, { store, metrics, log });
  metrics.register(...cacheMetrics(cache.caches, cache.catalogue));
  forgetRemovedSeries({ catalogue: cache.catalogue, metrics });
  let beforeClose: (() => Promise<void>) | undefined;
  return {
    log,
    logIsWritable,
    certificates,
    identityCheck,
    metrics,
    slis,
    cache,
    signal,
    drain: () => draining.abort(),
    onClose: (work) => (beforeClose = work),
    async close() {
      draining.abort();
      certificates.close();
      await beforeClose?.();
      await cache.caches.close();
      await store.close();
    },
  };
}
