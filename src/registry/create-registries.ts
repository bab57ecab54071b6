import { randomUUID } from 'node:crypto';
import type { AdmissionChain } from '../admission/admission.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { commonFields } from '../meta/field-selector.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { generateName } from '../meta/random-suffix.ts';
import { now } from '../meta/time.ts';
import type { Catalogue } from '../scheme/catalogue.ts';
import type { ResourceInfo, ResourceVersionInfo } from '../scheme/resource-info.ts';
import { decodeObject } from '../scheme/decode-object.ts';
import { schemaOf } from '../scheme/schema-of.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { RecentObjects } from '../storage/recent-objects.ts';
import type { ResourceCache } from '../storage/resource-cache.ts';
import type { FieldsOf } from '../storage/spliced-object.ts';
import { createObject } from './create.ts';
import { createSubresource } from './create-subresource.ts';
import { deleteCollection } from './delete-collection.ts';
import { deleteObject } from './delete.ts';
import { getObject, peekObject } from './get.ts';
import { listObjects } from './list.ts';
import { patchObject } from './patch.ts';
import type { ObjectAllocator } from './object-allocator.ts';
import type { Registries, ResourceRegistry } from './registry.ts';
import { hasSubresource, type ServedVersion, type StoredResource, type Surroundings } from './stored-resource.ts';
import type { Convert, ResourceDefinition, Strategy } from './strategy.ts';
import { Turns } from './turns.ts';
import { updateObject } from './update.ts';
import { foregroundFinalizer, orphanFinalizer } from './validate-metadata.ts';
import { watchObjects } from './watch.ts';

/** A stored resource, as the catalogue says where it lies. */
type StorageInfo = NonNullable<ResourceInfo['storage']>;

/** What the registries stand on. */
export interface RegistryDependencies {
  readonly identifiers: Identifiers;
  readonly catalogue: Catalogue;
  readonly store: ObjectStore;
  /** Gives the one cache of what is stored in a place; rows that share a place share its cache. */
  readonly caches: {
    resource(storage: StorageInfo, options: { readonly fieldsOf?: FieldsOf | undefined }): ResourceCache;
  };
  /** What every key begins with, as the caches know it. */
  readonly prefix: string;
  readonly definitions: readonly ResourceDefinition[];
  /** Makes the chain once the caches that its plugins look into are there. */
  readonly admission: (caches: CacheLookup) => AdmissionChain;
  /** Gives what only one object may have, by `<short group>/<resource>` as it is stored. */
  readonly allocators?: Readonly<Record<string, ObjectAllocator>>;
  readonly surroundings?: Partial<Surroundings>;
  /** Where what is written lately is remembered; made here where it is not given. */
  readonly recent?: RecentObjects;
  /** How long objects of kinds that expire live after their last write; absent: as long as others. */
  readonly ttlSeconds?: number | undefined;
}

/** The cache of a resource, by full group and plural name. */
export type CacheLookup = (group: string, resource: string) => ResourceCache | undefined;

const realSurroundings: Surroundings = Object.freeze({ now, newUid: randomUUID, generateName });

/** Makes the registry of every resource of the catalogue that is stored. */
export function createRegistries(dependencies: RegistryDependencies): Registries {
  const rows = new Map<string, StoredResource>();
  const stored: StoredResource['stored'] = (shortGroup, resource) =>
    [...rows.values()].find(({ storage }) => storage.shortGroup === shortGroup && storage.resource === resource);
  const shared = { admission: [], recent: dependencies.recent ?? new RecentObjects(), turns: new Turns(), stored };
  for (const info of dependencies.catalogue.resources) {
    const row = info.storage && storedResource(dependencies, { info, storage: info.storage, ...shared });
    if (row) rows.set(keyOf(info.group, info.resource), row);
  }
  // The plugins look into the caches of the rows, and the rows run the plugins.
  const plugins = dependencies.admission((group, resource) => rows.get(keyOf(group, resource))?.cache);
  const registries = new Map<string, ResourceRegistry>();
  for (const [key, row] of rows) registries.set(key, registryOf({ ...row, admission: plugins }));
  return { forResource: (group, resource) => registries.get(keyOf(group, resource)) };
}

/** No group holds a slash. */
function keyOf(group: string, resource: string): string {
  return `${group}/${resource}`;
}

function registryOf(resource: StoredResource): ResourceRegistry {
  return {
    info: resource.info,
    selectableFields: selectableFieldsOf(resource),
    get: (scope, at) => getObject(resource, scope, at),
    peek: (scope, at) => peekObject(resource, scope, at),
    list: (scope, query) => listObjects(resource, scope, query),
    watch: (scope, query) => watchObjects(resource, scope, query),
    create: (scope, object, options) =>
      scope.subresource === ''
        ? createObject(resource, scope, object, options)
        : createSubresource(resource, scope, object, options),
    update: (scope, object, options) => updateObject(resource, scope, object, options),
    patch: (scope, patch, options) => patchObject(resource, scope, patch, options),
    delete: (scope, options) => deleteObject(resource, scope, options),
    deleteCollection: (scope, query, options) => deleteCollection(resource, scope, query, options),
  };
}

function selectableFieldsOf({ strategy, info }: StoredResource): ReadonlyMap<string, string> {
  const own = strategy.selectableFields?.map((field) => [field, field] as const);
  // A kind without fields of its own takes both of the common ones, whatever its scope.
  const common = [...commonFields].filter(([field]) => info.namespaced || !own || field !== 'metadata.namespace');
  const aliases = strategy.fieldAliases?.[info.shortGroup];
  return new Map([...common, ...(aliases ? Object.entries(aliases) : (own ?? []))]);
}

const noStrategy: Strategy = Object.freeze({});

interface Row extends Pick<StoredResource, 'admission' | 'recent' | 'turns' | 'stored'> {
  readonly info: ResourceInfo;
  readonly storage: StorageInfo;
}

function storedResource(dependencies: RegistryDependencies, { info, storage, ...shared }: Row): StoredResource {
  const definition = dependencies.definitions.find(
    (candidate) => candidate.group === storage.shortGroup && candidate.resource === storage.resource,
  );
  const strategy = definition?.strategy ?? noStrategy;
  const served: ServedRow = { identifiers: dependencies.identifiers, info, storage, definition };
  const hasStatus = hasSubresource(info.versions, 'status');
  return {
    info,
    storage,
    strategy,
    versions: new Map(info.versions.map((row) => [row.version, servedVersion(served, row)])),
    storageVersion: storageVersionOf(storage),
    cache: dependencies.caches.resource(storage, { fieldsOf: strategy.fieldsOf }),
    store: dependencies.store,
    prefix: dependencies.prefix,
    ...shared,
    allocator: dependencies.allocators?.[`${storage.shortGroup}/${storage.resource}`],
    surroundings: { ...realSurroundings, ...dependencies.surroundings },
    subject: { group: info.group, resource: info.resource },
    // A kind that two groups serve is called as where it is kept.
    kindSubject: { group: storage.group, resource: storage.kind },
    hasStatus,
    keepsGeneration: (strategy.generation ?? hasStatus) !== false,
    ttlSeconds: strategy.expires ? dependencies.ttlSeconds : undefined,
    standardFinalizers: strategy.plainFinalizers
      ? undefined
      : [orphanFinalizer, foregroundFinalizer, dependencies.identifiers.product],
    knowsKind: (apiVersion, kind) => knowsKind(dependencies.catalogue, apiVersion, kind),
  };
}

function knowsKind(catalogue: Catalogue, apiVersion: string, kind: string): boolean {
  const slash = apiVersion.lastIndexOf('/');
  return catalogue.findKind(apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1), kind) !== undefined;
}

interface ServedRow {
  readonly identifiers: Identifiers;
  readonly info: ResourceInfo;
  readonly storage: StorageInfo;
  readonly definition: ResourceDefinition | undefined;
}

function servedVersion({ identifiers, info, storage, definition }: ServedRow, row: ResourceVersionInfo): ServedVersion {
  const apiVersion = apiVersionOf(info.group, row.version);
  const storedAs = apiVersionOf(storage.group, storage.version);
  const stored = apiVersion === storedAs && info.kind === storage.kind;
  const conversion = definition?.conversions?.[`${info.shortGroup}/${row.version}`];
  return {
    apiVersion,
    version: row.version,
    kind: info.kind,
    stored,
    get schema() {
      return schemaOf(row.message);
    },
    toStorage: stored ? asIs : converted(conversion?.toStorage, identifiers, storage.kind, storedAs),
    fromStorage: stored ? asIs : complete(row, converted(conversion?.fromStorage, identifiers, info.kind, apiVersion)),
  };
}

function storageVersionOf(storage: StorageInfo): ServedVersion {
  return {
    apiVersion: apiVersionOf(storage.group, storage.version),
    version: storage.version,
    kind: storage.kind,
    stored: true,
    get schema() {
      return schemaOf(storage.message);
    },
    toStorage: asIs,
    fromStorage: asIs,
  };
}

function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

function asIs(object: JsonObject): JsonObject {
  return object;
}

/** Reads what a conversion made, so that it has what its version writes even when empty, in its order. */
function complete(
  { message }: ResourceVersionInfo,
  convert: (object: JsonObject) => JsonObject,
): (object: JsonObject) => JsonObject {
  return (object) => decodeObject(schemaOf(message), convert(object)).value;
}

/** Versions of one shape differ only in what they are called. */
function converted(
  convert: Convert | undefined,
  identifiers: Identifiers,
  kind: string,
  apiVersion: string,
): (object: JsonObject) => JsonObject {
  return (object) => {
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = convert ? convert(object, identifiers) : object;
    return { kind, apiVersion, ...rest };
  };
}
