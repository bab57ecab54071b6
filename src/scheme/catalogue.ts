import type { Identifiers } from '../identifiers/identifiers.ts';
import { compareVersions } from '../meta/group-version-kind.ts';
import {
  allVerbs,
  catalogueRows,
  type ResourceRow,
  type SubresourceRow,
  servedSubresources,
} from './catalogue-rows.ts';
import { deprecationWarning } from './deprecations.ts';
import type { ResourceInfo, ResourceVersionInfo, SubresourceInfo } from './resource-info.ts';

/** A resource in one of its versions. */
export interface ServedResource {
  readonly info: ResourceInfo;
  readonly version: ResourceVersionInfo;
}

/** A group as discovery lists it: its versions in the order of preference, the preferred one first. */
export interface GroupInfo {
  readonly group: string;
  readonly shortGroup: string;
  readonly versions: readonly string[];
  readonly preferredVersion: string;
}

/** Every built-in resource, under one set of identifiers. Look-ups cost three map accesses each. */
export interface Catalogue {
  /** One row for each group and resource. */
  readonly resources: readonly ResourceInfo[];
  /** The resource of a URL; undefined where the version does not serve it. */
  find(group: string, version: string, resource: string): ServedResource | undefined;
  /** The resource whose objects have this kind. */
  findKind(group: string, version: string, kind: string): ServedResource | undefined;
  /** Groups in the order of discovery, the core group ('') first. */
  groups(): readonly GroupInfo[];
}

/** Groups whose names carry no domain. */
const plainGroups: ReadonlySet<string> = new Set(['', 'apps', 'autoscaling', 'batch', 'extensions', 'policy']);

/** The full name of a built-in group: `networking` is `networking.<domain>`, `apps` is `apps`. */
export function groupName(identifiers: Identifiers, shortGroup: string): string {
  if (shortGroup === 'flowcontrol') return identifiers.flowControlGroup;
  return plainGroups.has(shortGroup) ? shortGroup : `${shortGroup}.${identifiers.apiDomain}`;
}

/** The full protobuf name of a built-in message: `api.core.v1.Pod`. */
export function messageName(shortGroup: string, version: string, kind: string): string {
  return `api.${shortGroup === '' ? 'core' : shortGroup.replaceAll('.', '_')}.${version}.${kind}`;
}

function subresourceInfo(identifiers: Identifiers, { name, verbs, kind }: SubresourceRow): SubresourceInfo {
  if (!kind) return { name, verbs };
  const { shortGroup, otherVersions = [] } = kind;
  const message = (version: string): string => messageName(shortGroup, version, kind.kind);
  return {
    name,
    verbs,
    kind: {
      group: groupName(identifiers, shortGroup),
      version: kind.version,
      kind: kind.kind,
      message: message(kind.version),
      otherVersions: otherVersions.map((version) => ({ version, message: message(version) })),
    },
  };
}

function versionInfo(identifiers: Identifiers, row: ResourceRow, version: string): ResourceVersionInfo {
  const subresources = (row.subresources ?? []).filter(
    ({ name, versions }) => servedSubresources.has(name) && (versions?.includes(version) ?? true),
  );
  const warning = deprecationWarning({ ...row, version }, (group) => groupName(identifiers, group));
  return {
    version,
    ...(warning ? { warning } : {}),
    message: messageName(row.shortGroup, version, row.kind),
    verbs: row.verbs ?? allVerbs,
    subresources: subresources.map((subresource) => subresourceInfo(identifiers, subresource)),
  };
}

/** Objects are stored in the preferred version unless the row says otherwise. */
function storageOf(identifiers: Identifiers, row: ResourceRow, preferred: string): ResourceInfo['storage'] {
  // Whatever is stored can be followed.
  if (row.verbs && !row.verbs.includes('watch')) return undefined;
  const { shortGroup, version } = row.storedAs ?? { shortGroup: row.shortGroup, version: preferred };
  return {
    group: groupName(identifiers, shortGroup),
    shortGroup,
    version,
    resource: row.resource,
    kind: row.kind,
    message: messageName(shortGroup, version, row.kind),
  };
}

function resourceInfo(identifiers: Identifiers, row: ResourceRow): ResourceInfo {
  const versions = row.versions.toSorted(compareVersions);
  const storage = storageOf(identifiers, row, versions[0] ?? '');
  return Object.freeze({
    group: groupName(identifiers, row.shortGroup),
    shortGroup: row.shortGroup,
    resource: row.resource,
    singular: row.singular ?? row.kind.toLowerCase(),
    kind: row.kind,
    listKind: `${row.kind}List`,
    shortNames: row.shortNames ?? [],
    categories: row.categories ?? [],
    namespaced: row.namespaced ?? false,
    versions: versions.map((version) => versionInfo(identifiers, row, version)),
    ...(storage ? { storage } : {}),
    ...(row.columns ? { columns: row.columns } : {}),
  });
}

function groupInfos(resources: readonly ResourceInfo[]): readonly GroupInfo[] {
  const names = [...new Set(resources.map(({ group }) => group))];
  return names.map((group) => {
    const members = resources.filter((info) => info.group === group);
    const versions = [...new Set(members.flatMap((info) => info.versions.map(({ version }) => version)))];
    versions.sort(compareVersions);
    return { group, shortGroup: members[0]?.shortGroup ?? '', versions, preferredVersion: versions[0] ?? '' };
  });
}

/** Served resources by group, version and a name. Nested, because joining a key costs more than three look-ups. */
class ByName {
  readonly #groups = new Map<string, Map<string, Map<string, ServedResource>>>();

  set(group: string, version: string, name: string, served: ServedResource): void {
    const versions = this.#groups.get(group) ?? new Map<string, Map<string, ServedResource>>();
    const names = versions.get(version) ?? new Map<string, ServedResource>();
    this.#groups.set(group, versions.set(version, names.set(name, served)));
  }

  get(group: string, version: string, name: string): ServedResource | undefined {
    return this.#groups.get(group)?.get(version)?.get(name);
  }
}

/** Builds the catalogue under a set of identifiers. Built once for a server and passed on. */
export function catalogueOf(identifiers: Identifiers): Catalogue {
  const resources = Object.freeze(catalogueRows.map((row) => resourceInfo(identifiers, row)));
  const byResource = new ByName();
  const byKind = new ByName();
  for (const info of resources) {
    for (const version of info.versions) {
      const served = Object.freeze({ info, version });
      byResource.set(info.group, version.version, info.resource, served);
      byKind.set(info.group, version.version, info.kind, served);
    }
  }
  const groups = Object.freeze(groupInfos(resources));
  return Object.freeze({
    resources,
    find: (group: string, version: string, resource: string) => byResource.get(group, version, resource),
    findKind: (group: string, version: string, kind: string) => byKind.get(group, version, kind),
    groups: () => groups,
  });
}
