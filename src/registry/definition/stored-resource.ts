import type { AdmissionChain } from '../../admission/admission.ts';
import type { DecideRight } from '../../admission/resource-right.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { Conversion, ResourceDefinition, VersionDefinition } from './resource-definition.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import type { ObjectStore } from '../../storage/port/object-store.ts';
import type { RecentTrees } from '../../storage/objects/recent-objects.ts';
import type { ResourceCache } from '../../storage/cache/resource-cache.ts';
import { notServed, type StatusSubject } from '../../status/status-error.ts';
import type { CheckReferences } from './check-references.ts';
import type { ObjectAllocator } from './object-allocator.ts';
import type { Strategy } from './strategy.ts';
import type { KeyLock } from '../../async/key-lock.ts';
import type { DeleteOptions, RequestScope, WriteOptions } from './registry.ts';

/** A version in which objects of a resource are served. */
interface ShownVersion {
  readonly apiVersion: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: ObjectSchema;
}

/** A version with an asynchronous conversion, such as by a webhook. */
export interface ConvertibleVersion extends ShownVersion {
  /** Convert whole documents; the argument is not mutated. */
  toStorage(object: JsonObject): Promise<JsonObject>;
  fromStorage(object: JsonObject): Promise<JsonObject>;
}

/** A version with a synchronous or an asynchronous conversion; callers await it. */
export type AnyVersion = ServedVersion | ConvertibleVersion;

/** A version of a resource in which requests read and write. */
export interface ServedVersion extends ShownVersion {
  /** True for the storage version: stored bytes are served unchanged. */
  readonly stored: boolean;
  /** True if status is a sub-resource in this version, so that other writes keep it. */
  readonly hasStatus: boolean;
  toStorage(object: JsonObject): JsonObject;
  /** The rules of `Conversion.validate`; absent: the version has none. */
  readonly validate?: Conversion['validate'];
  fromStorage(object: JsonObject): JsonObject;
}

/** Clock and generators of uids and names; replaced in tests. */
export interface Runtime {
  /** Returns RFC 3339 in whole seconds. */
  now(): string;
  newUid(): string;
  /** Returns a name that begins with `base`. */
  generateName(base: string): string;
}

/** A resource definition with everything that its verbs need, resolved once. */
export interface StoredResource {
  readonly info: ResourceDefinition;
  readonly storage: NonNullable<ResourceDefinition['storage']>;
  readonly strategy: Strategy;
  readonly versions: ReadonlyMap<string, ServedVersion>;
  /**
   * The other versions of a resource that has a registry for each (`VersionConversion`), for
   * managers and webhooks that use them.
   */
  readonly otherVersions?: ReadonlyMap<string, ConvertibleVersion>;
  /** The storage version, served or not. */
  readonly storageVersion: ServedVersion;
  readonly cache: ResourceCache;
  readonly store: ObjectStore;
  /** The store without the conversion of a version that has a registry of its own. */
  readonly rawStore: ObjectStore;
  /** Shared by all resources. */
  readonly recent: RecentTrees;
  /** Serializes writes of one object after conflicts. Shared by all resources. */
  readonly keyLock: KeyLock;
  readonly prefix: string;
  /** The number of parallel deletes of a collection. */
  readonly parallelDeletes: number;
  /** True if a garbage collector deletes or releases dependents. */
  readonly isCollected: boolean;
  readonly admission: AdmissionChain;
  /** Asked about an update that creates its object. */
  readonly decide: DecideRight;
  /** Checks rules that depend on other objects; undefined if there are none. */
  readonly checkReferences: CheckReferences | undefined;
  /** Allocates unique values; undefined if the kind has none. */
  readonly allocator: ObjectAllocator | undefined;
  readonly runtime: Runtime;
  /** Names the resource in messages. */
  readonly subject: StatusSubject;
  /** Names the kind in messages about invalid objects. */
  readonly kindSubject: StatusSubject;
  readonly keepsGeneration: boolean;
  /** Lifetime of an object after its last write; undefined: it does not expire. */
  readonly ttlSeconds: number | undefined;
  /** The finalizers allowed without a domain; undefined: all are. */
  readonly standardFinalizers: readonly string[] | undefined;
  /**
   * Finds another resource of this server by the short group and the plural name of its storage.
   */
  stored(shortGroup: string, resource: string): StoredResource | undefined;
  /**
   * An object of this version as it is read after it was stored in another version; absent for the
   * storage version.
   */
  readonly readBack?: (object: JsonObject) => Promise<JsonObject>;
  /** All resources of this server with the same objects, itself included. */
  sharingStorage(): readonly StoredResource[];
}

/** The version of a request; throws 404 if it is not served. */
export function versionOf(resource: StoredResource, version: string): ServedVersion {
  const served = resource.versions.get(version);
  if (!served) throw notServed();
  return served;
}

/** Reports whether any version has a sub-resource. */
export function hasSubresource(versions: readonly VersionDefinition[], name: string): boolean {
  return versions.some((version) => version.subresources.some((subresource) => subresource.name === name));
}

/** A request for objects of one resource. */
export interface ResourceRequest {
  readonly resource: StoredResource;
  readonly scope: RequestScope;
}

/** A create, update or patch. */
export interface WriteRequest extends ResourceRequest {
  readonly options: WriteOptions;
}

/** A delete. */
export interface DeleteRequest extends ResourceRequest {
  readonly options: DeleteOptions;
}
