import { compareVersions } from '../../meta/group-version-kind.ts';
import { memoize } from '../../meta/memoize.ts';
import type { Catalogue, GroupInfo } from '../../registry/definition/catalogue.ts';
import { type ApiService, apiServiceName, isRemote, type Priorities } from '../api-services/api-service.ts';
import type { ApiServicesSnapshot } from '../api-services/api-services.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { groupBy } from '../../meta/group-by.ts';

/** A group as discovery shows it: its versions are served here or by other servers. */
export interface DiscoveredGroup {
  readonly name: string;
  /** The resources of this server; undefined if it serves no version. */
  readonly local: GroupInfo | undefined;
  /** The versions in the order of preference. */
  readonly versions: readonly DiscoveredVersion[];
}

/** A version of a group. */
export interface DiscoveredVersion {
  readonly version: string;
  /** The name of the APIService if another server serves the version. */
  readonly remote: string | undefined;
}

/** The priorities of a version that this server serves and that has no APIService yet. */
export type PrioritiesOf = (group: string, version: string) => Priorities;

interface OrderedVersion extends DiscoveredVersion, Priorities {
  readonly group: string;
}

/**
 * The groups of this server and of all APIServices, except the core group, in the order of their
 * priorities. A version whose local APIService was deleted is omitted, as by kube-apiserver.
 */
export function discoveredGroups(
  catalogue: Catalogue,
  { byName, withdrawn }: ApiServicesSnapshot,
  prioritiesOf: PrioritiesOf,
): readonly DiscoveredGroup[] {
  const served = catalogue.groups.flatMap(({ group, versions }) =>
    versions.filter((version) => !isKnown(byName, withdrawn, group, version)).map((version) => ({ group, version })),
  );
  const versions = [
    ...served.map((one) => ({ ...one, remote: undefined, ...prioritiesOf(one.group, one.version) })),
    ...[...byName.values()].filter((one) => isRemote(one) || isServed(catalogue, one)).map(orderedVersion),
  ];
  const groups = groupBy(
    versions.filter(({ group }) => group !== ''),
    ({ group }) => group,
  );
  return [...groups.values()].toSorted(byPriority).map((members) => {
    const name = members[0]?.group ?? '';
    return { name, local: catalogue.group(name), versions: members.toSorted(byVersionPriority) };
  });
}

function isKnown(
  byName: ApiServicesSnapshot['byName'],
  withdrawn: ApiServicesSnapshot['withdrawn'],
  group: string,
  version: string,
): boolean {
  const name = apiServiceName(group, version);
  return byName.has(name) || withdrawn.has(name);
}

/**
 * False for the APIService of a local version that this server does not serve: a server of another
 * release wrote it.
 */
function isServed(catalogue: Catalogue, { group, version }: ApiService): boolean {
  return catalogue.group(group)?.versions.includes(version) ?? false;
}

function orderedVersion(one: ApiService): OrderedVersion {
  const { group, version, groupPriority, versionPriority, name } = one;
  return { group, version, groupPriority, versionPriority, remote: isRemote(one) ? name : undefined };
}

/** The highest priority of a group's versions counts; groups of one priority are sorted by name. */
function byPriority(a: readonly OrderedVersion[], b: readonly OrderedVersion[]): number {
  return highest(b) - highest(a) || ((a[0]?.group ?? '') < (b[0]?.group ?? '') ? -1 : 1);
}

function highest(versions: readonly Priorities[]): number {
  return Math.max(...versions.map(({ groupPriority }) => groupPriority));
}

function byVersionPriority(a: OrderedVersion, b: OrderedVersion): number {
  return b.versionPriority - a.versionPriority || compareVersions(a.version, b.version);
}

/** The groups of a server without APIServices, in the order of its catalogue. */
export const cataloguedGroups = memoize(({ groups }: Catalogue): readonly DiscoveredGroup[] =>
  groups
    .filter(({ group }) => group !== '')
    .map((local) => ({
      name: local.group,
      local,
      versions: local.versions.map((version) => ({ version, remote: undefined })),
    })),
);

/** The resources of the versions that other servers serve. */
export interface RemoteResources {
  /**
   * The known resources by the name of the APIService, as aggregated discovery shows them. Replaced
   * by another map when anything changes.
   */
  readonly current: ReadonlyMap<string, RemoteVersion>;
}

/** A version that another server serves. */
interface RemoteVersion {
  /** Objects of aggregated discovery. */
  readonly resources: readonly JsonObject[];
  /** True if the server has answered recently. */
  readonly isFresh: boolean;
}
