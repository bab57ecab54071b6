import type { Identifiers } from '../identifiers/identifiers.ts';
import { compareVersions } from '../meta/group-version-kind.ts';
import {
  allVerbs,
  type ColumnInfo,
  type Conversion,
  type ResourceDefinition,
  type StorageDefinition,
  type SubresourceDefinition,
  type Verb,
  type VersionDefinition,
} from '../registry/resource-definition.ts';
import type { Strategy } from '../registry/strategy.ts';
import type { ObjectSchema } from '../scheme/schema.ts';
import { schemaOf } from '../scheme/schema-of.ts';
import { type Deprecation, deprecationWarning } from './deprecation-warning.ts';

/** A built-in resource as its folder writes it down: groups are short, and what most have in common is left out. */
interface BuiltInResource {
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  /** Where the singular is not the kind in lower case. */
  readonly singular?: string;
  readonly namespaced?: true;
  /** By name, in any order; the preferred one follows from the names. */
  readonly versions: Readonly<Record<string, BuiltInVersion>>;
  /** Where objects are not stored as the preferred version. */
  readonly storedAs?: { readonly group: string; readonly version: string };
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Where they are not all eight. A resource that cannot be watched is virtual: it is answered, not stored. */
  readonly verbs?: readonly Verb[];
  readonly subresources?: readonly BuiltInSubresource[];
  readonly columns?: readonly ColumnInfo[];
  readonly strategy?: Strategy;
}

/** What is special about a version. */
interface BuiltInVersion {
  readonly deprecated?: Deprecation;
  /** Where its shape is not that of the storage version. */
  readonly conversion?: Conversion | undefined;
}

/** A sub-resource of a built-in resource. */
export interface BuiltInSubresource {
  readonly name: string;
  readonly verbs: readonly Verb[];
  /** Where it is served, if not in all versions of the resource. */
  readonly versions?: readonly string[];
  /** The kind it takes where that is not the parent's; of its versions, discovery tells the first. */
  readonly kind?: { readonly group: string; readonly kind: string; readonly versions: readonly string[] };
}

/** Groups whose names carry no domain. */
const plainGroups: ReadonlySet<string> = new Set(['', 'apps', 'autoscaling', 'batch', 'extensions', 'policy']);

/** The full name of a built-in group: `networking` is `networking.<domain>`, `apps` is `apps`. */
function groupName(identifiers: Identifiers, shortGroup: string): string {
  if (shortGroup === 'flowcontrol') return identifiers.flowControlGroup;
  return plainGroups.has(shortGroup) ? shortGroup : `${shortGroup}.${identifiers.apiDomain}`;
}

/** Completes a built-in resource under a set of identifiers. */
export function builtIn(row: BuiltInResource): (identifiers: Identifiers) => ResourceDefinition {
  return (identifiers) => definitionOf(identifiers, row);
}

const noStrategy: Strategy = Object.freeze({});

function definitionOf(identifiers: Identifiers, row: BuiltInResource): ResourceDefinition {
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
    ...(row.columns ? { columns: row.columns } : {}),
  });
}

function versionOf(identifiers: Identifiers, row: BuiltInResource, version: string): VersionDefinition {
  const { deprecated, conversion } = row.versions[version] ?? {};
  const subresources = (row.subresources ?? []).filter(({ versions }) => versions?.includes(version) ?? true);
  const nameOf = (shortGroup: string): string => groupName(identifiers, shortGroup);
  const { kind } = row;
  const warning = deprecated && deprecationWarning(deprecated, { group: nameOf(row.group), version, kind }, nameOf);
  return {
    version,
    schema: schemaOfKind(row.group, version, row.kind),
    verbs: row.verbs ?? allVerbs,
    subresources: subresources.map((subresource) => subresourceOf(identifiers, subresource)),
    ...(warning ? { warning } : {}),
    conversion,
  };
}

function subresourceOf(
  identifiers: Identifiers,
  { name, verbs, kind: own }: BuiltInSubresource,
): SubresourceDefinition {
  if (!own) return { name, verbs };
  const { group, kind } = own;
  const versions = own.versions.map((version) => ({ version, schema: schemaOfKind(group, version, kind) }));
  return {
    name,
    verbs,
    kind: { group: groupName(identifiers, group), kind, version: own.versions[0] ?? '', versions },
  };
}

/** Objects are stored in the preferred version unless the row says otherwise. */
function storageOf(identifiers: Identifiers, row: BuiltInResource, preferred: string): StorageDefinition | undefined {
  // Whatever is stored can be followed.
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

/** The schema of a built-in kind: that of the message `api.core.v1.Pod` in proto/. Compiled when it is first asked for. */
function schemaOfKind(shortGroup: string, version: string, kind: string): () => ObjectSchema {
  const message = `api.${shortGroup === '' ? 'core' : shortGroup.replaceAll('.', '_')}.${version}.${kind}`;
  return () => schemaOf(message);
}
