import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { TableDefinition } from '../../codec/table-definition.ts';
import { type JsonObject, copyJson, copyJsonObject, isJsonObject, setOwn } from '../../meta/json-value.ts';
import type { EmulatedRelease } from '../../scheme/emulated-release.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import type { FieldError } from '../../status/field-error.ts';
import type { StatusError } from '../../status/status-error.ts';
import type { Convert, Strategy, StrategyContext } from './strategy.ts';
import { memoize } from '../../meta/memoize.ts';
import { completeObject } from '../../scheme/complete-object.ts';
import type { ObjectDecoding } from '../../storage/objects/cached-object.ts';
import { isSince } from '../../scheme/api-release.ts';

/** How the stored objects of a resource are decoded; one value for all of them. */
export const decodingOf = memoize(
  ({ storage, strategy, isCustom, dropUnknown }: ResourceDefinition): ObjectDecoding => {
    const { fieldsOf } = strategy;
    if (isCustom || !storage) return { fieldsOf };
    const complete = (object: JsonObject): JsonObject => {
      dropUnknown?.(object);
      return completeObject(storage.schema(), object);
    };
    return { fieldsOf, complete };
  },
);

/** The verbs of a resource, for discovery and authorization. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** All verbs of a stored resource. */
export const allVerbs: readonly Verb[] = Object.freeze([
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]);

/**
 * A resource, built-in or defined at run time: names, versions with schemas, strategy. Two
 * resources can serve the same objects (events, ingresses): both name the same `storage` and share
 * keys and cache. Definitions are compared by identity: a changed resource is another value.
 */
export interface ResourceDefinition {
  /** Full name; '' for the core group. */
  readonly group: string;
  /**
   * The group without the product's domain, independent of the identifiers: '', `apps`,
   * `networking`, `rbac.authorization`.
   */
  readonly shortGroup: string;
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** Served versions, the preferred one first. */
  readonly versions: readonly VersionDefinition[];
  /**
   * Key and version of the stored objects; absent for virtual resources (spec 2.1), which only
   * support create.
   */
  readonly storage?: StorageDefinition;
  readonly strategy: Strategy;
  /** The emulated release; absent: the newest. */
  readonly emulated?: EmulatedRelease;
  /**
   * Drops fields of an object in the storage version: fields that defaults have set but the release
   * does not have, and fields whose gates are off unless `old` uses the gate.
   */
  readonly dropDisabled?: (object: JsonObject, old: JsonObject | undefined) => Promise<void>;
  /** Drops the fields of other releases from a stored object. */
  readonly dropUnknown?: (object: JsonObject) => void;
  /** Rules that came with a release: the hooks that earlier ones have instead. */
  readonly earlierRules?: EarlierRules | readonly EarlierRules[];
  /** The Tables of the resource; `defaultTable` if absent. */
  readonly table?: TableDefinition;
  /** Returns warnings about valid objects in the storage version; absent: none. */
  readonly warnings?: ObjectWarnings;
  /** True for the resource of a CustomResourceDefinition: some errors are worded differently. */
  readonly isCustom?: boolean;
  /** Set if each version has a registry of its own. */
  readonly conversion?: VersionConversion;
}

/**
 * The conversion of a resource that has a registry for each version. Everything that such a
 * registry does is in its version: defaults, validation, admission, selectors. Objects are
 * converted between the registry and the cache or store, where they are in the version in which
 * they were stored.
 */
export interface VersionConversion {
  readonly convert: ConvertObjects;
  /** True if a conversion changes the apiVersion alone, so that objects keep labels and fields. */
  readonly relabels: boolean;
  /** All versions, served or not: the owners of fields may use any of them. */
  readonly versions: readonly VersionDefinition[];
  readonly stored: StoredVersions;
}

/** The versions in which the store has the objects of a resource. */
export interface StoredVersions {
  /** True as soon as an object in another version than the storage version was read. */
  areMixed: boolean;
}

/**
 * Converts objects to a version. Returns, in order, each converted object or the reason for which
 * it cannot be converted. The objects are not mutated. Never rejects.
 */
export type ConvertObjects = (
  objects: readonly JsonObject[],
  apiVersion: string,
) => Promise<readonly ConversionResult[]>;

/** A converted object, or the reason for which it cannot be converted. */
export type ConversionResult = { readonly object: JsonObject } | { readonly error: StatusError };

/** A write of a valid object, for warnings about it. */
export interface WarnedWrite {
  readonly emulated: EmulatedRelease;
  readonly identifiers: Identifiers;
  /** The sub-resource of the write; '' for the object itself. */
  readonly subresource: string;
  /** The object before an update. */
  readonly old: JsonObject | undefined;
}

/** Returns warnings about an object, in the storage version. Does not mutate. */
export type ObjectWarnings = (object: JsonObject, write: WarnedWrite) => readonly string[];

/** One served version of a resource. */
export interface VersionDefinition {
  readonly version: string;
  /** Returns the schema in a release, by default the newest. Custom kinds have the same in each. */
  readonly schema: (release?: string) => ObjectSchema;
  /** The schema for OpenAPI, if `schema` is costly to make. The same object at each call. */
  readonly published?: () => ObjectSchema;
  readonly verbs: readonly Verb[];
  /** The first release of verbs that were added later. */
  readonly laterVerbs?: Readonly<Partial<Record<Verb, string>>> | undefined;
  readonly subresources: readonly SubresourceDefinition[];
  /** The releases that serve it; absent: all. */
  readonly lifecycle?: Lifecycle;
  /** Warning sent to each user of this version, because it is deprecated. */
  readonly warning?: string;
  /** The release, such as `1.22`, that no longer serves this version; with `warning`. */
  readonly removedRelease?: string;
  /** Required if the shape differs from the storage version; else only apiVersion and kind do. */
  readonly conversion?: Conversion | undefined;
  /** The Tables of this version, if they are not the resource's. */
  readonly table?: TableDefinition;
  /** The strategy of this version, if it is not the resource's. Needs a `VersionConversion`. */
  readonly strategy?: Strategy;
}

/** Converts objects of a version to the storage version and back. */
export interface Conversion<Old = JsonObject, Stored = JsonObject> {
  readonly toStorage: Convert<Old, Stored>;
  readonly fromStorage: Convert<Stored, Old>;
  /**
   * All errors of an object of this version that the converted object cannot show, such as fields
   * that contradict each other where the storage version has one. They are reported with the errors
   * of the strategy. Must not mutate.
   */
  readonly validate?: (object: Old, context: StrategyContext) => readonly FieldError[];
}

/**
 * Group, resource and version of stored objects, as the cache holds them and strategies see them.
 * The version need not be served.
 */
export interface StorageDefinition {
  readonly group: string;
  readonly shortGroup: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly schema: (release?: string) => ObjectSchema;
  /**
   * The version in which the store holds objects, if not the version above: one that is served if
   * the version above is not. See `versionedStore`.
   */
  readonly writtenAs?: { readonly group: string; readonly version: string };
}

/** A sub-resource in one version of a resource. */
export interface SubresourceDefinition {
  /** `status`, `scale`, `approval`, ... */
  readonly name: string;
  readonly verbs: readonly Verb[];
  /** The releases that serve it; absent: all. */
  readonly lifecycle?: Lifecycle;
  /**
   * The kind of requests and responses if it is not the parent's (`autoscaling/v1` Scale,
   * `policy/v1` Eviction).
   */
  readonly kind?: SubresourceKind;
}

/** The kind of a sub-resource that does not use its parent's kind. */
export interface SubresourceKind {
  readonly group: string;
  readonly kind: string;
  /** The version published by discovery. */
  readonly version: string;
  /** All accepted versions. */
  readonly versions: readonly SubresourceVersion[];
  /** The columns of its Tables; absent if it has none. */
  readonly table?: TableDefinition;
}

/** A version of a sub-resource's own kind. */
interface SubresourceVersion {
  readonly version: string;
  readonly schema: (release?: string) => ObjectSchema;
  /** Required if its shape differs from the shape of the strategy's views. */
  readonly conversion?: Conversion | undefined;
  /** The releases that serve it; absent: all. */
  readonly lifecycle?: Lifecycle;
}

/** Hooks that replace hooks of the strategy before a release, or while a gate is off. */
interface EarlierRules {
  readonly before: string;
  readonly gate?: string;
  readonly hooks: Partial<Strategy>;
}

/**
 * The Kubernetes releases in which a version of a resource is introduced, deprecated and removed
 * (spec 9.3), as texts such as `1.19`.
 */
export interface Lifecycle {
  /** The first release with the version; absent: all releases that can be served. */
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  /** The release of the removal in warnings, if it differs. */
  readonly announced?: string;
  /** The `apiVersion` that replaces this one. */
  readonly replacement?: string;
  /** The kind that replaces this one; absent: the same kind. */
  readonly replacementKind?: string;
  /** The first release whose warnings name the replacement; absent: all. */
  readonly replacementSince?: string;
  /** The feature gate that serves it; absent: it is served in any case. */
  readonly gate?: string;
  /** True if only `--runtime-config` enables it: alpha versions, and beta versions since 1.24. */
  readonly optIn?: true;
}

/** A version of a kind, for messages. */
interface DeprecatedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * The deprecation warning of a version (spec 6.3) in a release. Undefined if it is deprecated later
 * or never.
 */
export function deprecationWarning(
  { deprecated, removed, announced = removed, replacement, replacementKind, replacementSince = '1.0' }: Lifecycle,
  { apiVersion, kind }: DeprecatedKind,
  release: string,
): string | undefined {
  if (deprecated === undefined || !isSince(release, deprecated)) return undefined;
  return [
    `${apiVersion} ${kind} is deprecated in v${deprecated}+`,
    announced ? `, unavailable in v${announced}+` : '',
    replacement && isSince(release, replacementSince) ? `; use ${replacement} ${replacementKind ?? kind}` : '',
  ].join('');
}

/** Copies an object so that it can be mutated, all but the list of managers. */
export function copyObject(object: JsonObject): JsonObject {
  const copy: JsonObject = {};
  for (const [name, part] of Object.entries(object)) {
    setOwn(copy, name, name === 'metadata' && isJsonObject(part) ? copyMetadata(part) : copyJson(part));
  }
  return copy;
}

/**
 * Copies metadata so that it can be mutated. The list of managers is shared, because it is only
 * ever replaced.
 */
export function copyMetadata({ managedFields, ...metadata }: JsonObject): JsonObject {
  const copy = copyJsonObject(metadata);
  if (managedFields !== undefined) copy['managedFields'] = managedFields;
  return copy;
}
