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
import { WatchCache } from '../../storage/cache/watch-cache.ts';
import { measuredStore } from '../../storage/port/measured-store.ts';
import type { ObjectStore } from '../../storage/port/object-store.ts';
import { servedApiOf } from '../../config/served-api.ts';
import type { Tracing } from '../../tracing/span.ts';
import type { ServerOptions } from '../../config/server-options.ts';
import { resourceSegment, storePrefix } from '../../storage/port/object-key.ts';

/** The type of objects of custom resources. */
const customType = '*unstructured.Unstructured';

/**
 * Creates the function that names the type of the objects under a key as kube-apiserver does in its
 * metrics: `*core.Pod`, `*rbac.Role`. The keys of the server itself have the type `internal`.
 */
function storedTypes(prefix: string, builtIns: readonly ResourceDefinition[]): (key: string) => string {
  const types = new Map([['~', 'internal']]);
  for (const { storage, shortGroup } of builtIns) {
    if (!storage) continue;
    const [packageName] = (shortGroup || 'core').split('.');
    types.set(resourceSegment(storage), `*${packageName}.${storage.kind}`);
  }
  const start = storePrefix(prefix).length;
  return (key) => types.get(key.slice(start, key.indexOf('/', start))) ?? customType;
}

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
  /** Gets the families of the store. */
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
  /** Absent if the server does not trace. */
  readonly tracing?: Tracing | undefined;
}

/**
 * Builds the catalogue and the cache over a store. Nothing is read before the first request or
 * `caches.warm`.
 */
export function createApiCache(
  options: ServerOptions,
  { store: opened, metrics, log, tracing }: CacheDependencies,
): ApiCache {
  const { prefix, watchHistoryMs: historyMs, cacheCheckIntervalMs: checkIntervalMs } = options;
  const identifiers = identifiersOf(options.identifiers);
  const known = builtInDefinitions(identifiers);
  const catalogue = builtInCatalogue(identifiers, servedApiOf(options, known));
  const kinds = storedKinds(identifiers, known, catalogue.current.resources);
  const measured = measuredStore(opened, metrics, storedTypes(prefix, known), tracing && { tracing, prefix });
  const customKinds = new Map<string, StoredKind>();
  const store = versionedStore(measured, prefix, { get: (segment) => kinds.get(segment) ?? customKinds.get(segment) });
  const caches = new WatchCache({
    store,
    prefix,
    historyMs,
    settings: { checkIntervalMs, ...options.cache },
    log: (message, details) => log.warn(details, message),
  });
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
