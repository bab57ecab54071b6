import type { Logger } from 'pino';
import type { AdmissionChain } from '../admission/admission.ts';
import { createChain } from '../admission/create-chain.ts';
import { type Identifiers, identifiersOf } from '../identifiers/identifiers.ts';
import { type CacheLookup, createRegistries } from '../registry/create-registries.ts';
import { findNamespaceIn } from '../registry/find-namespace.ts';
import { objectLookup } from '../registry/object-lookup.ts';
import type { Registries } from '../registry/registry.ts';
import { resourceDefinitions } from '../resources/definitions.ts';
import { type Catalogue, catalogueOf } from '../scheme/catalogue.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { WatchCache } from '../storage/watch-cache.ts';
import type { ServerOptions } from './server-options.ts';
import { type ServiceAllocation, serviceAllocation } from './service-allocation.ts';

/** What answers requests below HTTP: the registries of all resources over one store and its cache. */
export interface ApiCore {
  readonly identifiers: Identifiers;
  readonly catalogue: Catalogue;
  readonly caches: WatchCache;
  readonly registries: Registries;
  readonly services: ServiceAllocation;
}

/** Builds the registries over a store. Nothing is read before the first request or `caches.warm`. */
export function createApiCore(options: ServerOptions, store: ObjectStore, log: Logger): ApiCore {
  const { prefix, watchHistoryMs: historyMs, cacheCheckIntervalMs: checkIntervalMs } = options;
  const identifiers = identifiersOf(options.identifiers);
  const catalogue = catalogueOf(identifiers);
  const caches = new WatchCache({
    store,
    prefix,
    historyMs,
    settings: { checkIntervalMs, ...options.cache },
    log: (message, details) => log.warn(details, message),
  });
  const services = serviceAllocation(options, store, log);
  const registries = createRegistries({
    identifiers,
    catalogue,
    store,
    caches,
    prefix,
    definitions: resourceDefinitions,
    allocators: { '/services': services.allocator },
    ttlSeconds: options.eventTtlMs === 0 ? undefined : Math.ceil(options.eventTtlMs / 1000),
    admission: (lookUp) => admissionChain(options, identifiers, lookUp),
  });
  return { identifiers, catalogue, caches, registries, services };
}

/** The plugins that the options choose, over the caches of what they look into. */
function admissionChain(options: ServerOptions, identifiers: Identifiers, lookUp: CacheLookup): AdmissionChain {
  const cacheOf = (group: string, resource: string) => {
    const cache = lookUp(group, resource);
    if (!cache) throw new RangeError(`${resource} are not stored, but admission depends on them`);
    return cache;
  };
  const dependencies = {
    identifiers,
    findNamespace: findNamespaceIn(cacheOf('', 'namespaces')),
    lookupOf: (group: string, resource: string) => objectLookup(cacheOf(group, resource), { group, resource }),
  };
  return createChain(dependencies, options.admissionPlugins);
}
