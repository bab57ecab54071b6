import type { Column, RowKey, TableDefinition } from '../codec/table-definition.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { compareVersions, formatApiVersion } from '../meta/group-version-kind.ts';
import {
  allVerbs,
  type Conversion,
  type ResourceDefinition,
  type StorageDefinition,
  type SubresourceDefinition,
  type Verb,
  type VersionDefinition,
  type Lifecycle,
} from '../registry/definition/resource-definition.ts';
import type { Strategy } from '../registry/definition/strategy.ts';
import { schemaOf } from '../scheme/schema-of.ts';

/** The verb of virtual resources and of sub-resources that are actions. */
export const createOnly: readonly Verb[] = ['create'];

/** The verbs of a sub-resource that is a part of an object. */
export const readWrite: readonly Verb[] = ['get', 'patch', 'update'];

/**
 * The verbs of resources that must be deleted one by one, because each object owns many others or
 * has wide effects.
 */
export const withoutDeleteCollection: readonly Verb[] = allVerbs.filter((verb) => verb !== 'deletecollection');

/**
 * The declaration of a built-in resource. Group names are short, and omitted fields have the usual
 * values.
 */
interface BuiltInResource<T> {
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  /** The default is the kind in lower case. */
  readonly singular?: string;
  readonly namespaced?: true;
  /** The versions by name, in any order. The preferred one follows from the names. */
  readonly versions: Readonly<Record<string, BuiltInVersion>>;
  /** The default is the preferred version of the same group. */
  readonly storedAs?: { readonly group: string; readonly version: string };
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** The default is all eight. A resource without `watch` is virtual: it is not stored. */
  readonly verbs?: readonly Verb[];
  /** The verbs that were added later, with their first release: `{ deletecollection: '1.24' }`. */
  readonly laterVerbs?: VersionDefinition['laterVerbs'];
  readonly subresources?: readonly BuiltInSubresource[];
  /** The columns of Tables. The default is name and creation time. */
  readonly columns?: readonly Column<T>[];
  readonly rowConditions?: (object: T) => readonly JsonObject[] | undefined;
  readonly rowKey?: (object: T) => RowKey;
  /** The hooks of the strategy before a release: `{ before: '1.22', hooks: {} }`. */
  readonly earlierRules?: ResourceDefinition['earlierRules'];
  readonly strategy?: Strategy<T>;
}

/** Options of a version. */
export interface BuiltInVersion {
  /** The first Kubernetes release with this version, such as `1.19`. The default is the oldest. */
  readonly introduced?: string;
  /** The feature gate that serves it. */
  readonly gate?: string;
  /**
   * True if the version is only served if `--runtime-config` enables it, as new beta versions since
   * 1.24.
   */
  readonly optIn?: true;
  readonly deprecated?: Deprecation;
  /** Set if its shape differs from the shape of the storage version. */
  readonly conversion?: Conversion | undefined;
}

/** The releases in which a version is deprecated and removed, and its replacement. */
interface Deprecation {
  readonly since: string;
  readonly removed?: string;
  /** The release of the removal in warnings, if it differs. */
  readonly announced?: string;
  /** A version of the same group, or a short group and a version: `networking/v1`. */
  readonly replacement?: string;
  /** The kind of the replacement, if it differs. */
  readonly replacementKind?: string;
  /**
   * The first release whose warnings name the replacement. Default: the first release that warns.
   */
  readonly replacementSince?: string;
}

/** A sub-resource of a built-in resource. */
export interface BuiltInSubresource {
  readonly name: string;
  readonly verbs: readonly Verb[];
  /** The versions of the resource that have it. The default is all. */
  readonly versions?: readonly string[];
  /** The first Kubernetes release with the sub-resource. The default is the oldest. */
  readonly introduced?: string;
  /** The feature gate that serves it. */
  readonly gate?: string;
  /**
   * The kind of its objects, if it is not the kind of the resource. Discovery shows the first of
   * its versions.
   */
  readonly kind?: {
    readonly group: string;
    readonly kind: string;
    readonly versions: Readonly<Record<string, Pick<BuiltInVersion, 'introduced' | 'conversion'>>>;
    /** The columns of its Tables; absent if it has none. */
    readonly table?: TableDefinition;
  };
}

/** Groups whose names have no domain. */
const plainGroups: ReadonlySet<string> = new Set(['', 'apps', 'autoscaling', 'batch', 'extensions', 'policy']);

/** The full name of a built-in group: `networking` is `networking.<domain>`, `apps` is `apps`. */
export function groupName(identifiers: Identifiers, shortGroup: string): string {
  if (shortGroup === 'flowcontrol') return identifiers.flowControlGroup;
  return plainGroups.has(shortGroup) ? shortGroup : `${shortGroup}.${identifiers.apiDomain}`;
}

/**
 * Returns the definition of a built-in resource for a set of identifiers. T is the generated type
 * of its kind in the storage version, which decoding and defaults guarantee.
 */
export function builtIn<T = JsonObject>(row: BuiltInResource<T>): (identifiers: Identifiers) => ResourceDefinition {
  const untyped = row as unknown as BuiltInResource<JsonObject>;
  return (identifiers) => definitionOf(identifiers, untyped);
}

/** A conversion over the types of both versions, which decoding guarantees. */
export function typedConversion<Old, Stored>(conversion: Conversion<Old, Stored>): Conversion {
  return conversion as unknown as Conversion;
}

const noStrategy: Strategy = Object.freeze({});

function definitionOf(identifiers: Identifiers, row: BuiltInResource<JsonObject>): ResourceDefinition {
  const versions = Object.keys(row.versions).toSorted(compareVersions);
  const storage = storageOf(identifiers, row, versions[0] ?? '');
  return Object.freeze({
    group: groupName(identifiers, row.group),
    shortGroup: row.group,
    resource: row.resource,
    singular: row.singular ?? row.kind.toLowerCase(),
    kind: row.kind,
    listKind: `${row.kind}List`,
    shortNames: row.shortNames ?? [],
    categories: row.categories ?? [],
    namespaced: row.namespaced ?? false,
    versions: versions.map((version) => versionOf(identifiers, row, version)),
    ...(storage ? { storage } : {}),
    strategy: row.strategy ?? noStrategy,
    ...(row.earlierRules ? { earlierRules: row.earlierRules } : {}),
    ...(row.columns ? { table: tableOf(row.columns, row) } : {}),
  });
}

function tableOf(
  columns: readonly Column[],
  { rowConditions, rowKey }: Pick<BuiltInResource<JsonObject>, 'rowConditions' | 'rowKey'>,
): TableDefinition {
  return Object.freeze({ columns, rowConditions, rowKey });
}

function versionOf(identifiers: Identifiers, row: BuiltInResource<JsonObject>, version: string): VersionDefinition {
  const { introduced, gate, optIn, deprecated, conversion } = row.versions[version] ?? {};
  const subresources = (row.subresources ?? []).filter(({ versions }) => versions?.includes(version) ?? true);
  return {
    version,
    schema: schemaOfKind(row.group, version, row.kind),
    verbs: row.verbs ?? allVerbs,
    laterVerbs: row.laterVerbs,
    subresources: subresources.map((subresource) => subresourceOf(identifiers, subresource)),
    lifecycle: {
      ...(introduced ? { introduced } : {}),
      ...(gate ? { gate } : {}),
      ...(optIn ? { optIn } : {}),
      ...(deprecated ? deprecationOf(identifiers, row.group, deprecated) : {}),
    },
    conversion,
  };
}

function deprecationOf(
  identifiers: Identifiers,
  group: string,
  { since, removed, announced, replacement, replacementKind, replacementSince }: Deprecation,
): Lifecycle {
  const [newer = '', newerGroup = group] = replacement?.split('/').toReversed() ?? [];
  return {
    deprecated: since,
    ...(removed ? { removed } : {}),
    ...(announced ? { announced } : {}),
    ...(replacementSince ? { replacementSince } : {}),
    ...(replacementKind ? { replacementKind } : {}),
    ...(replacement ? { replacement: formatApiVersion(groupName(identifiers, newerGroup), newer) } : {}),
  };
}

function subresourceOf(
  identifiers: Identifiers,
  { name, verbs, introduced: since, gate, kind: own }: BuiltInSubresource,
): SubresourceDefinition {
  const lifecycle = { ...(since ? { introduced: since } : {}), ...(gate ? { gate } : {}) };
  if (!own) return { name, verbs, lifecycle };
  const { group, kind, table } = own;
  const versions = Object.entries(own.versions).map(([version, { introduced, conversion }]) => ({
    version,
    schema: schemaOfKind(group, version, kind),
    conversion,
    ...(introduced ? { lifecycle: { introduced } } : {}),
  }));
  return {
    name,
    verbs,
    lifecycle,
    kind: {
      group: groupName(identifiers, group),
      kind,
      version: versions[0]?.version ?? '',
      versions,
      ...(table ? { table } : {}),
    },
  };
}

/** The storage version: `storedAs`, or the preferred version. Undefined for virtual resources. */
function storageOf(
  identifiers: Identifiers,
  row: BuiltInResource<JsonObject>,
  preferred: string,
): StorageDefinition | undefined {
  // Every stored resource can be watched.
  if (row.verbs && !row.verbs.includes('watch')) return undefined;
  const { group: shortGroup, version } = row.storedAs ?? { group: row.group, version: preferred };
  return {
    group: groupName(identifiers, shortGroup),
    shortGroup,
    version,
    resource: row.resource,
    kind: row.kind,
    schema: schemaOfKind(shortGroup, version, row.kind),
  };
}

/**
 * The schema of a built-in kind, from its message in proto/, such as `api.core.v1.Pod`. Compiled on
 * first use.
 */
function schemaOfKind(shortGroup: string, version: string, kind: string): VersionDefinition['schema'] {
  const message = `api.${shortGroup === '' ? 'core' : shortGroup.replaceAll('.', '_')}.${version}.${kind}`;
  return (release) => schemaOf(message, release);
}
