import type { Logger } from 'pino';
import { type Identifiers, identifiersOf } from '../../identifiers/identifiers.ts';
import type { ListerOf } from '../../meta/lister.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import { cacheLister } from '../../registry/read/cache-lister.ts';
import { cacheOf } from '../../registry/create-registries.ts';
import { forgetRemoved } from '../../registry/internal/forget-removed.ts';
import type { MutableCatalogue } from '../../registry/definition/live-catalogue.ts';
import type { ResourceDefinition } from '../../registry/definition/resource-definition.ts';
import { type StoredKind, storedKinds } from '../../registry/versions/stored-kinds.ts';
import { versionedStore } from '../../registry/versions/versioned-store.ts';
import { builtInCatalogue, builtInDefinitions } from '../../catalogue/definitions.ts';
import { memoize } from '../../meta/memoize.ts';
import { routedStore } from '../../storage/port/routed-store.ts';
import { WatchCache } from '../../storage/cache/watch-cache.ts';
import { measuredStore } from '../../storage/port/measured-store.ts';
import type { ObjectStore } from '../../storage/port/object-store.ts';
import { servedApiOf } from '../../config/served-api.ts';
import type { Tracing } from '../../tracing/span.ts';
import type { ServerOptions } from '../../config/server-options.ts';
import { typeLabels } from './type-labels.ts';

/**
 * The served resources and the cache of their objects. Authentication, authorization and admission
 * read objects from it.
 */
export interface ApiCache {
  readonly identifiers: Identifiers;
  /** Kinds can be added, replaced and removed at any time. */
  readonly catalogue: MutableCatalogue;
  /** The custom kinds, in all of their versions, by the segment of their keys. */
  readonly customKinds: Map<string, StoredKind>;
  /** The store, behind the conversion of stored versions. */
  readonly store: ObjectStore;
  readonly caches: WatchCache;
  readonly listerOf: ListerOf;
  /** The resources whose caches are filled before the server is ready, as their listers ask. */
  readonly warm: ReadonlySet<ResourceDefinition>;
}

interface CacheDependencies {
  readonly store: ObjectStore;
  /** The stores of resources with another etcd, by the segments of their keys. */
  readonly otherStores?: ReadonlyMap<string, ObjectStore>;
  /** Gets the families of the store. */
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
  /** Creates spans; absent if the server does not trace. */
  readonly tracing?: Tracing | undefined;
}

/**
 * Builds the catalogue and the cache over a store. Nothing is read before the first request or
 * `caches.warm`.
 */
export function createApiCache(
  options: ServerOptions,
  { store: opened, otherStores = new Map(), metrics, log, tracing }: CacheDependencies,
): ApiCache {
  const { prefix, watchHistoryMs: historyMs, cacheCheckIntervalMs: checkIntervalMs } = options;
  const identifiers = identifiersOf(options.identifiers);
  const known = builtInDefinitions(identifiers);
  const catalogue = builtInCatalogue(identifiers, servedApiOf(options, known));
  const kinds = storedKinds(identifiers, known, catalogue.current.resources);
  const routed = routedStore(opened, prefix, otherStores);
  const measured = measuredStore(routed, metrics, typeLabels(options, known), tracing && { tracing, prefix });
  const customKinds = new Map<string, StoredKind>();
  const versioned = (one: ObjectStore): ObjectStore =>
    versionedStore(one, prefix, { get: (segment) => kinds.get(segment) ?? customKinds.get(segment) });
  const store = versioned(measured);
  const settings = { checkIntervalMs, ...options.cache };
  const shared = { prefix, historyMs, settings, log: (message: string, details: object) => log.warn(details, message) };
  const cacheOfStore = memoize((one: ObjectStore) => new WatchCache({ ...shared, store: versioned(one) }));
  const others = new Map([...otherStores].map(([segment, one]) => [segment, cacheOfStore(one)]));
  const caches = new WatchCache({ ...shared, store, others });
  forgetRemoved(catalogue, caches);
  const warm = new Set<ResourceDefinition>();
  const listerOf: ListerOf = (spec) => {
    const builtIn = known.find(({ group, resource }) => group === spec.group && resource === spec.resource);
    // Objects of a built-in resource have their effects even if no version is served.
    const currentDefinition = () => catalogue.current.resource(spec.group, spec.resource) ?? builtIn;
    const definition = currentDefinition();
    if (!definition) throw new RangeError(`${spec.resource} are not stored, but something depends on them`);
    if (spec.warm) warm.add(definition);
    return cacheLister(() => {
      const current = currentDefinition();
      return current && cacheOf(caches, current);
    }, spec);
  };
  return { identifiers, catalogue, customKinds, store, caches, listerOf, warm };
}
