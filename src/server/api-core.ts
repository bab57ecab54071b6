import type { Logger } from 'pino';
import { createChain } from '../admission/create-chain.ts';
import { measuredChain } from '../admission/measured-chain.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import { measuredStore } from '../storage/port/measured-store.ts';
import { storedTypes } from './stored-types.ts';
import { type Identifiers, identifiersOf } from '../identifiers/identifiers.ts';
import { cacheLister } from '../registry/cache-lister.ts';
import { cacheOf, createRegistries } from '../registry/create-registries.ts';
import type { ListerOf } from '../meta/lister.ts';
import { forgetRemoved } from '../registry/forget-removed.ts';
import type { MutableCatalogue } from '../registry/live-catalogue.ts';
import type { Registries } from '../registry/registry.ts';
import { storedKinds } from '../registry/stored-kinds.ts';
import { versionedStore } from '../registry/versioned-store.ts';
import { builtInCatalogue, builtInDefinitions } from '../resources/definitions.ts';
import type { ObjectStore } from '../storage/port/object-store.ts';
import { WatchCache } from '../storage/cache/watch-cache.ts';
import { apiSurfaceOf } from './api-surface.ts';
import type { ServerOptions } from './server-options.ts';
import { type ServiceAllocation, serviceAllocation } from './service-allocation.ts';

/** The layer below HTTP: the registries of all resources over one store and its cache. */
export interface ApiCore {
  readonly identifiers: Identifiers;
  /** Kinds can be added, replaced and removed at any time. */
  readonly catalogue: MutableCatalogue;
  readonly caches: WatchCache;
  readonly registries: Registries;
  readonly services: ServiceAllocation;
}

interface CoreDependencies {
  readonly store: ObjectStore;
  /** Gets the families of admission and of the store. */
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
}

/**
 * Builds the registries over a store. Nothing is read before the first request or `caches.warm`.
 */
export function createApiCore(options: ServerOptions, { store: opened, metrics, log }: CoreDependencies): ApiCore {
  const { prefix, watchHistoryMs: historyMs, cacheCheckIntervalMs: checkIntervalMs } = options;
  const identifiers = identifiersOf(options.identifiers);
  const known = builtInDefinitions(identifiers);
  const catalogue = builtInCatalogue(identifiers, apiSurfaceOf(options, known));
  const kinds = storedKinds(identifiers, known, catalogue.current.resources);
  const measured = measuredStore(opened, metrics, storedTypes(prefix, known));
  const store = versionedStore(measured, prefix, kinds);
  const caches = new WatchCache({
    store,
    prefix,
    historyMs,
    settings: { checkIntervalMs, ...options.cache },
    log: (message, details) => log.warn(details, message),
  });
  forgetRemoved(catalogue, caches);
  const listerOf: ListerOf = (spec) => {
    const builtIn = known.find(({ group, resource }) => group === spec.group && resource === spec.resource);
    const currentCache = () => {
      // Objects of a built-in resource have their effects even if no version is served.
      const definition = catalogue.current.resource(spec.group, spec.resource) ?? builtIn;
      return definition && cacheOf(caches, definition);
    };
    if (!currentCache()) throw new RangeError(`${spec.resource} are not stored, but something depends on them`);
    return cacheLister(currentCache, spec);
  };
  const services = serviceAllocation(options, store, log);
  const registries = createRegistries({
    identifiers,
    catalogue,
    store,
    caches,
    prefix,
    allocators: { '/services': services.allocator },
    ttlSeconds: options.eventTtlMs === 0 ? undefined : Math.ceil(options.eventTtlMs / 1000),
    admission: measuredChain(createChain({ identifiers, listerOf }, options.admissionPlugins), metrics),
  });
  return { identifiers, catalogue, caches, registries, services };
}
