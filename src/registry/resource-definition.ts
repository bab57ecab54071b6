import type { ObjectSchema } from '../scheme/schema.ts';
import type { Convert, Strategy } from './strategy.ts';

/** Verbs of a resource, as discovery lists them and authorization checks them. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** Every verb of a stored resource. */
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
 * Everything about a resource, built in or defined at run time: its names, its versions with their schemas, what is special
 * about it. The same objects can be served by two resources (events, ingresses): then both name one `storage`, and share keys
 * and cache. Definitions are compared by identity: a changed resource is another value.
 */
export interface ResourceDefinition {
  /** The full name; '' for the core group. */
  readonly group: string;
  /** The group without the product's domain, the same under all identifiers: '', `apps`, `networking`, `rbac.authorization`. */
  readonly shortGroup: string;
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** Served versions, the preferred first. */
  readonly versions: readonly VersionDefinition[];
  /** Where and as what objects are stored; absent for virtual resources (spec 2.1), which only answer to create. */
  readonly storage?: StorageDefinition;
  readonly strategy: Strategy;
  /** Columns of Tables; name and age where absent. */
  readonly columns?: readonly ColumnInfo[];
}

/** One served version of a resource. */
export interface VersionDefinition {
  readonly version: string;
  readonly schema: () => ObjectSchema;
  readonly verbs: readonly Verb[];
  readonly subresources: readonly SubresourceDefinition[];
  /** What whoever uses this version is warned of. */
  readonly warning?: string;
  /** Where its shape differs from the storage version; else it differs in apiVersion and kind alone. */
  readonly conversion?: Conversion | undefined;
}

/** How objects of a version become those of the storage version, and back. */
export interface Conversion {
  readonly toStorage: Convert;
  readonly fromStorage: Convert;
}

/** Where and as what objects are stored. The version need not be served. */
export interface StorageDefinition {
  readonly group: string;
  readonly shortGroup: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly schema: () => ObjectSchema;
}

/** A sub-resource in one version of a resource. */
export interface SubresourceDefinition {
  /** `status`, `scale`, `approval`, ... */
  readonly name: string;
  readonly verbs: readonly Verb[];
  /** The kind it takes and answers, where that is not the parent's (`autoscaling/v1` Scale, `policy/v1` Eviction). */
  readonly kind?: SubresourceKind;
}

/** A kind of its own that a sub-resource takes. */
export interface SubresourceKind {
  readonly group: string;
  readonly kind: string;
  /** The one that discovery tells. */
  readonly version: string;
  /** Every version that it takes. */
  readonly versions: readonly { readonly version: string; readonly schema: () => ObjectSchema }[];
}

/** A column of a Table. */
export interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly priority?: number;
}
