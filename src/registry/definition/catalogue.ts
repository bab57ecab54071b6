import { compareVersions } from '../../meta/group-version-kind.ts';
import type { ResourceDefinition, VersionDefinition } from './resource-definition.ts';

/** A resource in one of its versions. */
export interface ServedResource {
  readonly info: ResourceDefinition;
  readonly version: VersionDefinition;
}

/** A group as discovery lists it. */
export interface GroupInfo {
  readonly group: string;
  readonly shortGroup: string;
  /** Sorted by preference, the preferred version first. */
  readonly versions: readonly string[];
  /** The resources in order of definition. */
  readonly resources: readonly ResourceDefinition[];
}

/**
 * An immutable snapshot of the served resources. Values derived from a snapshot or from a
 * definition can be memoized by it. A look-up costs three map accesses.
 */
export interface Catalogue {
  /** One entry for each group and resource; groups are in the order of discovery. */
  readonly resources: readonly ResourceDefinition[];
  /** The groups in order of definition; the core group ('') is first if it was defined first. */
  readonly groups: readonly GroupInfo[];
  /** Finds a group by its full name. */
  group(name: string): GroupInfo | undefined;
  /** Finds a resource, independent of version. */
  resource(group: string, resource: string): ResourceDefinition | undefined;
  /** Finds the resource of a URL; undefined if the version does not serve it. */
  find(group: string, version: string, resource: string): ServedResource | undefined;
  /** Finds the resource whose objects have this kind. */
  findKind(group: string, version: string, kind: string): ServedResource | undefined;
}

/**
 * A group with its look-up tables. The maps are nested because joining a key costs more than
 * three look-ups.
 */
export interface CatalogueGroup extends GroupInfo {
  /** The definitions by plural name. */
  readonly members: ReadonlyMap<string, ResourceDefinition>;
  readonly byResource: ReadonlyMap<string, ReadonlyMap<string, ServedResource>>;
  readonly byKind: ReadonlyMap<string, ReadonlyMap<string, ServedResource>>;
}

/**
 * A catalogue over groups by name. Lists are built on first use, so the cost does not grow with
 * the groups.
 */
export function catalogueOfGroups(groups: ReadonlyMap<string, CatalogueGroup>): Catalogue {
  let list: readonly GroupInfo[] | undefined;
  let resources: readonly ResourceDefinition[] | undefined;
  return Object.freeze({
    get groups() {
      return (list ??= Object.freeze([...groups.values()]));
    },
    get resources() {
      return (resources ??= Object.freeze([...groups.values()].flatMap((group) => group.resources)));
    },
    group: (name: string) => groups.get(name),
    resource: (group: string, resource: string) => groups.get(group)?.members.get(resource),
    find: (group: string, version: string, resource: string) =>
      groups.get(group)?.byResource.get(version)?.get(resource),
    findKind: (group: string, version: string, kind: string) => groups.get(group)?.byKind.get(version)?.get(kind),
  });
}

/** Builds a group from its definitions: at least one, all with the same group name. */
export function groupOf(resources: readonly ResourceDefinition[]): CatalogueGroup {
  const [{ group, shortGroup } = { group: '', shortGroup: '' }] = resources;
  const served = resources.flatMap((info) => info.versions.map((version) => Object.freeze({ info, version })));
  return Object.freeze({
    group,
    shortGroup,
    versions: Object.freeze([...new Set(served.map(({ version }) => version.version))].toSorted(compareVersions)),
    resources: Object.freeze(resources),
    members: new Map(resources.map((definition) => [definition.resource, definition])),
    byResource: byVersion(served, ({ info }) => info.resource),
    byKind: byVersion(served, ({ info }) => info.kind),
  });
}

function byVersion(
  served: readonly ServedResource[],
  nameOf: (resource: ServedResource) => string,
): Map<string, Map<string, ServedResource>> {
  const versions = new Map<string, Map<string, ServedResource>>();
  for (const one of served) {
    const { version } = one.version;
    const names = versions.get(version) ?? new Map<string, ServedResource>();
    versions.set(version, names.set(nameOf(one), one));
  }
  return versions;
}
