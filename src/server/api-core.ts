import type { Logger } from 'pino';
import { createChain } from '../admission/create-chain.ts';
import { type Identifiers, identifiersOf } from '../identifiers/identifiers.ts';
import { cacheLister } from '../registry/cache-lister.ts';
import { cacheOf, createRegistries } from '../registry/create-registries.ts';
import type { ListerOf } from '../meta/lister.ts';
import { forgetRemoved } from '../registry/forget-removed.ts';
import type { MutableCatalogue } from '../registry/live-catalogue.ts';
import type { Registries } from '../registry/registry.ts';
import { builtInCatalogue } from '../resources/definitions.ts';
import type { ObjectStore } from '../storage/port/object-store.ts';
import { WatchCache } from '../storage/cache/watch-cache.ts';
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

/**
 * Builds the registries over a store. Nothing is read before the first request or `caches.warm`.
 */
export function createApiCore(options: ServerOptions, store: ObjectStore, log: Logger): ApiCore {
  const { prefix, watchHistoryMs: historyMs, cacheCheckIntervalMs: checkIntervalMs } = options;
  const identifiers = identifiersOf(options.identifiers);
  const catalogue = builtInCatalogue(identifiers);
  const caches = new WatchCache({
    store,
    prefix,
    historyMs,
    settings: { checkIntervalMs, ...options.cache },
    log: (message, details) => log.warn(details, message),
  });
  forgetRemoved(catalogue, caches);
  const listerOf: ListerOf = (spec) => {
    const currentCache = () => {
      const definition = catalogue.current.resource(spec.group, spec.resource);
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
    admission: createChain({ identifiers, listerOf }, options.admissionPlugins),
  });
  return { identifiers, catalogue, caches, registries, services };
}
