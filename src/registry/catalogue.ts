import { compareVersions } from '../meta/group-version-kind.ts';
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
  /** In the order of preference, the preferred one first. */
  readonly versions: readonly string[];
  /** In the order in which they were defined. */
  readonly resources: readonly ResourceDefinition[];
}

/**
 * The resources that are served at one moment. Never changes: what is derived from one, or from one of its definitions, can be
 * kept beside it. Look-ups cost three map accesses each.
 */
export interface Catalogue {
  /** One for each group and resource, by group in the order of discovery. */
  readonly resources: readonly ResourceDefinition[];
  /** The core group ('') first, as long as it is the first to be defined. */
  readonly groups: readonly GroupInfo[];
  /** A group by its full name. */
  group(name: string): GroupInfo | undefined;
  /** A resource, whatever its versions. */
  resource(group: string, resource: string): ResourceDefinition | undefined;
  /** The resource of a URL; undefined where the version does not serve it. */
  find(group: string, version: string, resource: string): ServedResource | undefined;
  /** The resource whose objects have this kind. */
  findKind(group: string, version: string, kind: string): ServedResource | undefined;
}

/** A group with its look-ups. Nested maps, because joining a key costs more than three look-ups. */
export interface CatalogueGroup extends GroupInfo {
  /** By plural name. */
  readonly members: ReadonlyMap<string, ResourceDefinition>;
  readonly byResource: ReadonlyMap<string, ReadonlyMap<string, ServedResource>>;
  readonly byKind: ReadonlyMap<string, ReadonlyMap<string, ServedResource>>;
}

/** The catalogue of some groups, by their names. Costs nothing for each group. */
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

/** A group of some definitions, at least one, which share its name. */
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
