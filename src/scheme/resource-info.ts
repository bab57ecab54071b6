/** Verbs of a resource, as discovery lists them and authorization checks them. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** A group and a version; the core group is ''. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** A sub-resource in one version of a resource. */
export interface SubresourceInfo {
  /** `status`, `scale`, `approval`, ... */
  readonly name: string;
  readonly verbs: readonly Verb[];
  /** The kind it takes and answers, where that is not the parent's (`autoscaling/v1` Scale, `policy/v1` Eviction). */
  readonly kind?: SubresourceKind;
}

/** A kind of its own that a sub-resource takes. */
export interface SubresourceKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Full protobuf name of its message. */
  readonly message: string;
  /** Other versions that it takes too, with their messages; discovery tells only the first. */
  readonly otherVersions: readonly { readonly version: string; readonly message: string }[];
}

/** A column of a Table. */
export interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly priority?: number;
}

/** One served version of a resource. */
export interface ResourceVersionInfo {
  readonly version: string;
  /** Full protobuf name of its message. */
  readonly message: string;
  readonly verbs: readonly Verb[];
  readonly subresources: readonly SubresourceInfo[];
  /** What whoever uses this version is warned of. */
  readonly warning?: string;
}

/**
 * A row of the catalogue: everything about a resource that is data. The same objects can be served by two rows (events,
 * ingresses): then both name one `storage`, and share keys and cache.
 */
export interface ResourceInfo {
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
  readonly versions: readonly ResourceVersionInfo[];
  /** Where and as what it is stored; absent for virtual resources (spec 2.1), which only answer to create. */
  readonly storage?: {
    readonly group: string;
    readonly shortGroup: string;
    readonly version: string;
    readonly resource: string;
    readonly kind: string;
    readonly message: string;
  };
  readonly columns?: readonly ColumnInfo[];
}
