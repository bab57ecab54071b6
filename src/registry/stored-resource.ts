import type { AdmissionChain } from '../admission/admission.ts';
import type { JsonObject } from '../meta/json-value.ts';
import type { ResourceDefinition, VersionDefinition } from './resource-definition.ts';
import { type ObjectSchema } from '../scheme/schema.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { RecentObjects } from '../storage/recent-objects.ts';
import type { ResourceCache } from '../storage/resource-cache.ts';
import { notServed, type StatusSubject } from '../status/status-error.ts';
import type { ObjectAllocator } from './object-allocator.ts';
import type { Strategy } from './strategy.ts';
import type { KeyLock } from '../async/key-lock.ts';

/** A version in which a resource is served, ready for use. */
export interface ServedVersion {
  readonly apiVersion: string;
  readonly version: string;
  readonly kind: string;
  /** Whether this is also how objects are stored, so that bytes pass as they are. */
  readonly stored: boolean;
  readonly schema: ObjectSchema;
  /** Whole documents in and out; the argument is not changed. */
  toStorage(object: JsonObject): JsonObject;
  fromStorage(object: JsonObject): JsonObject;
}

/** What a registry needs of the world besides its store; replaced in tests. */
export interface Surroundings {
  /** RFC 3339, whole seconds. */
  now(): string;
  newUid(): string;
  /** A name that begins with `base`. */
  generateName(base: string): string;
}

/** A row of the catalogue with everything its verbs need, resolved once. */
export interface StoredResource {
  readonly info: ResourceDefinition;
  readonly storage: NonNullable<ResourceDefinition['storage']>;
  readonly strategy: Strategy;
  readonly versions: ReadonlyMap<string, ServedVersion>;
  /** The storage version, whether or not it is served. */
  readonly storageVersion: ServedVersion;
  readonly cache: ResourceCache;
  readonly store: ObjectStore;
  /** Of all resources together. */
  readonly recent: RecentObjects;
  /** Of writes that meet at one object. Of all resources together. */
  readonly turns: KeyLock;
  readonly prefix: string;
  readonly admission: AdmissionChain;
  /** Where objects are given what only one of them may have. */
  readonly allocator: ObjectAllocator | undefined;
  readonly surroundings: Surroundings;
  /** Names the resource in messages. */
  readonly subject: StatusSubject;
  /** Names the kind in messages about invalid objects. */
  readonly kindSubject: StatusSubject;
  /** Whether status is a sub-resource, and so not written with the rest. */
  readonly hasStatus: boolean;
  readonly keepsGeneration: boolean;
  /** How long an object lives after its last write; undefined: until it is deleted. */
  readonly ttlSeconds: number | undefined;
  /** The finalizers that may stand without a domain; undefined where all may. */
  readonly standardFinalizers: readonly string[] | undefined;
  /** Another resource of the same server, by the short group and the plural name under which it is stored. */
  stored(shortGroup: string, resource: string): StoredResource | undefined;
}

/** The version of a request; 404 for one that is not served. */
export function versionOf(resource: StoredResource, version: string): ServedVersion {
  const served = resource.versions.get(version);
  if (!served) throw notServed();
  return served;
}

/** Whether any version has a sub-resource. */
export function hasSubresource(versions: readonly VersionDefinition[], name: string): boolean {
  return versions.some((version) => version.subresources.some((subresource) => subresource.name === name));
}
