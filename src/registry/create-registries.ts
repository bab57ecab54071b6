import { randomUUID } from 'node:crypto';
import type { AdmissionChain } from '../admission/admission.ts';
import type { DecideRight } from '../admission/resource-right.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { commonFields } from '../meta/field-selector.ts';
import { memoize, memoizeText } from '../meta/memoize.ts';
import { generateName } from '../meta/random-suffix.ts';
import { now } from '../meta/time.ts';
import type { LiveCatalogue } from './definition/live-catalogue.ts';
import {
  type ResourceDefinition,
  type StorageDefinition,
  type VersionDefinition,
  decodingOf,
} from './definition/resource-definition.ts';
import { notServed } from '../status/status-error.ts';
import type { ObjectStore } from '../storage/port/object-store.ts';
import { RecentObjects } from '../storage/objects/recent-objects.ts';
import { resourceSegment } from '../storage/port/object-key.ts';
import type { ResourceCache } from '../storage/cache/resource-cache.ts';
import type { ResourceReading } from '../storage/objects/resource-reading.ts';
import { changeOwnValues } from './internal/change-own-values.ts';
import { completeObject, createObject } from './write/create-object.ts';
import { createSubresource } from './write/create-subresource.ts';
import type { CheckReferences } from './definition/check-references.ts';
import { deleteCollection } from './write/delete-collection.ts';
import { deleteDamaged } from './write/delete-damaged.ts';
import { deleteObject } from './write/delete-object.ts';
import { getObject, peekObject } from './read/get-object.ts';
import { listObjects } from './read/list-objects.ts';
import { patchObject } from './write/patch-object.ts';
import type { ObjectAllocator } from './definition/object-allocator.ts';
import type { Registries, RequestScope, ResourceRegistry } from './definition/registry.ts';
import { isStored, servedVersion, storageVersionOf, type StoredDefinition } from './definition/served-version.ts';
import { hasSubresource, type StoredResource, type Runtime } from './definition/stored-resource.ts';
import { KeyLock } from '../async/key-lock.ts';
import { ConversionCache } from './conversion/conversion-cache.ts';
import { versionView } from './conversion/version-view.ts';
import type { Strategy, SubresourceCreate } from './definition/strategy.ts';
import { updateObject } from './write/update-object.ts';
import { standardFinalizersOf } from './definition/validate-metadata.ts';
import { watchObjects } from './read/watch-objects.ts';

/** The dependencies of the registries. */
interface RegistryDependencies {
  readonly identifiers: Identifiers;
  readonly catalogue: LiveCatalogue;
  readonly store: ObjectStore;
  /** The watch caches; definitions with the same storage share one cache. */
  readonly caches: ResourceCaches;
  /** Prefix of all keys; must equal the prefix of the caches. */
  readonly prefix: string;
  readonly admission: AdmissionChain;
  /** Asks the authorizers of the server about an update that creates its object. */
  readonly decide: DecideRight;
  /**
   * Allocators of unique values, such as addresses, by `<short group>/<resource>` of the storage.
   */
  readonly allocators?: Readonly<Record<string, ObjectAllocator>>;
  /**
   * Creates of sub-resources that depend on the server, by
   * `<short group>/<resource>/<sub-resource>` of the storage.
   */
  readonly creates?: Readonly<Record<string, SubresourceCreate<never>>>;
  /** The rules that depend on other objects, by `<short group>/<resource>` of the storage. */
  readonly references?: Readonly<Record<string, CheckReferences>>;
  readonly runtime?: Partial<Runtime>;
  /** The recently written objects; created here if absent. */
  readonly recent?: RecentObjects;
  /** Lifetime after the last write of objects whose kind expires; absent: they do not expire. */
  readonly ttlSeconds?: number | undefined;
  /**
   * The number of parallel deletes of a collection; by default 10, enough to keep the store busy,
   * few enough not to starve other requests.
   */
  readonly parallelDeletes?: number;
  /** True if a garbage collector deletes or releases dependents. Default: true. */
  readonly isCollected?: boolean;
}

/** The caches of stored resources. */
interface ResourceCaches {
  resource(storage: StorageDefinition, options: ResourceReading): ResourceCache;
}

/** The cache of a resource; undefined if the resource is not stored. */
export function cacheOf(caches: ResourceCaches, info: ResourceDefinition): ResourceCache | undefined {
  const { storage, isCustom } = info;
  return storage && caches.resource(storage, { kind: storage.kind, decoding: decodingOf(info), typedItems: isCustom });
}

const usualParallelDeletes = 10;

const realRuntime: Runtime = Object.freeze({ now, newUid: randomUUID, generateName });

/** Creates the registries of a catalogue, each on first use. */
export function createRegistries(dependencies: RegistryDependencies): Registries {
  const { catalogue, recent = new RecentObjects() } = dependencies;
  const keyLock = new KeyLock();
  const storedResourceOf = memoize((info: StoredDefinition) =>
    storedResource(dependencies, { info, recent, keyLock, stored, sharingStorage: () => sharing(info) }),
  );
  const stored: StoredResource['stored'] = (shortGroup, resource) => {
    const isWanted = ({ storage }: ResourceDefinition) =>
      storage?.shortGroup === shortGroup && storage.resource === resource;
    const info = catalogue.current.resources.filter(isStored).find(isWanted);
    return info && storedResourceOf(info);
  };
  const sharing = ({ storage }: StoredDefinition): readonly StoredResource[] =>
    catalogue.current.resources
      .filter(isStored)
      .filter((other) => resourceSegment(other.storage) === resourceSegment(storage))
      .map(storedResourceOf);
  const kept = new ConversionCache();
  const registries = memoize((info: StoredDefinition) =>
    registryOf(info, versionsOf(dependencies, storedResourceOf(info), kept)),
  );
  const of = (info: ResourceDefinition) => (isStored(info) ? registries(info) : undefined);
  const forResource: Registries['forResource'] = (group, resource) => {
    const info = catalogue.current.resource(group, resource);
    return info && of(info);
  };
  return { of, forResource };
}

/** The resource as a version sees it. */
type ResourceOf = (scope: Pick<RequestScope, 'version'>) => StoredResource;

/** All versions of a resource see the same, but for those that are converted at their border. */
function versionsOf(
  { identifiers }: RegistryDependencies,
  resource: StoredResource,
  kept: ConversionCache,
): ResourceOf {
  const { info } = resource;
  const { conversion, versions } = info;
  if (!conversion) return () => resource;
  const viewOf = memoize((row: VersionDefinition) => versionView({ identifiers, resource, conversion, row, kept }));
  return ({ version }) => {
    const row = versions.find((one) => one.version === version);
    if (!row) throw notServed();
    return viewOf(row);
  };
}

function registryOf(info: StoredDefinition, resourceOf: ResourceOf): ResourceRegistry {
  return {
    info,
    selectableFields: memoizeText((version) => selectableFieldsOf(resourceOf({ version })), { most: 100 }),
    get: (scope, at) => getObject({ resource: resourceOf(scope), scope }, at),
    peek: (scope, at) => peekObject({ resource: resourceOf(scope), scope }, at),
    list: (scope, query) => listObjects({ resource: resourceOf(scope), scope }, query),
    watch: (scope, query) => watchObjects({ resource: resourceOf(scope), scope }, query),
    create: (scope, object, options) =>
      scope.subresource === ''
        ? createObject({ resource: resourceOf(scope), scope, options }, object)
        : createSubresource({ resource: resourceOf(scope), scope, options }, object),
    complete: (scope, object, options) => completeObject({ resource: resourceOf(scope), scope, options }, object),
    update: (scope, object, options) => updateObject({ resource: resourceOf(scope), scope, options }, object),
    changeOwnValues: (scope, change, options) =>
      changeOwnValues({ resource: resourceOf(scope), scope, options }, change),
    patch: (scope, patch, options) => patchObject({ resource: resourceOf(scope), scope, options }, patch),
    delete: (scope, options) => {
      const request = { resource: resourceOf(scope), scope, options };
      return options.ignoreStoreReadErrorWithClusterBreakingPotential ? deleteDamaged(request) : deleteObject(request);
    },
    deleteCollection: (scope, query, options) =>
      deleteCollection({ resource: resourceOf(scope), scope, options }, query),
  };
}

function selectableFieldsOf({ strategy, info }: StoredResource): ReadonlyMap<string, string> {
  const own = strategy.selectableFields?.map((field) => [field, field] as const);
  // A kind without selectable fields of its own accepts both common fields, even if it is
  // cluster-scoped.
  const common = [...commonFields].filter(([field]) => info.namespaced || !own || field !== 'metadata.namespace');
  const aliases = strategy.fieldAliases?.[info.shortGroup];
  return new Map([...common, ...(aliases ? Object.entries(aliases) : (own ?? []))]);
}

/** The strategy of a resource with the creates of its sub-resources that depend on the server. */
function withCreates({ storage, strategy }: StoredDefinition, creates: RegistryDependencies['creates'] = {}): Strategy {
  const { subresources = {} } = strategy;
  const entries = Object.entries(subresources).map(([name, row]) => {
    const create = creates[`${storage.shortGroup}/${storage.resource}/${name}`];
    return [name, create ? { ...row, create } : row] as const;
  });
  return { ...strategy, subresources: Object.fromEntries(entries) };
}

interface StorageDependencies extends Pick<StoredResource, 'recent' | 'keyLock' | 'stored' | 'sharingStorage'> {
  readonly info: StoredDefinition;
}

function storedResource(dependencies: RegistryDependencies, { info, ...shared }: StorageDependencies): StoredResource {
  const { storage } = info;
  const strategy = withCreates(info, dependencies.creates);
  const { identifiers } = dependencies;
  const hasStatus = hasSubresource(info.versions, 'status');
  return {
    info,
    storage,
    strategy,
    versions: new Map(info.versions.map((row) => [row.version, servedVersion(identifiers, info, row)])),
    storageVersion: storageVersionOf(storage),
    cache: dependencies.caches.resource(storage, {
      kind: storage.kind,
      decoding: decodingOf(info),
      typedItems: info.isCustom,
    }),
    store: dependencies.store,
    rawStore: dependencies.store,
    prefix: dependencies.prefix,
    isCollected: dependencies.isCollected ?? true,
    parallelDeletes: dependencies.parallelDeletes ?? usualParallelDeletes,
    admission: dependencies.admission,
    decide: dependencies.decide,
    ...shared,
    checkReferences: dependencies.references?.[`${storage.shortGroup}/${storage.resource}`],
    allocator: dependencies.allocators?.[`${storage.shortGroup}/${storage.resource}`],
    runtime: { ...realRuntime, ...dependencies.runtime },
    subject: { group: info.group, resource: info.resource },
    // Messages name the kind with the group of its storage, for kinds that two groups serve.
    kindSubject: { group: storage.group, resource: storage.kind },
    keepsGeneration: (strategy.generation ?? hasStatus) !== false,
    ttlSeconds: strategy.expires ? dependencies.ttlSeconds : undefined,
    standardFinalizers: strategy.plainFinalizers ? undefined : standardFinalizersOf(identifiers),
  };
}
