import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { GroupInfo, ServedResource } from '../../registry/definition/catalogue.ts';
import type { ConnectDefinition } from '../../registry/definition/connect-definition.ts';
import { memoize } from '../../meta/memoize.ts';
import { servedIn } from './api-resource-list.ts';
import type { DiscoveredGroup, DiscoveredVersion, RemoteResources } from './discovered-groups.ts';
import { type ListedSubresource, listedSubresources } from './listed-subresources.ts';

/** A version of the aggregated document. The versions differ in their name only. */
export type AggregatedVersion = (typeof aggregatedVersions)[number];

/** The served versions. */
export const aggregatedVersions = ['v2', 'v2beta1'] as const;

/** The kind of the document, as clients request it with `as`. */
export const aggregatedKind = 'APIGroupDiscoveryList';

/** Returns the API group of aggregated discovery. */
export function aggregatedGroup({ apiDomain }: Identifiers): string {
  return `apidiscovery.${apiDomain}`;
}

/** Selects an aggregated document. */
interface AggregatedOptions {
  readonly identifiers: Identifiers;
  readonly connects: readonly ConnectDefinition[];
  readonly version: AggregatedVersion;
  /** The resources of other servers. */
  readonly remotes: RemoteResources['current'];
  /** True for releases before 1.34, which write the null creation time of a group. */
  readonly writesNoCreation: boolean;
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** A group in the aggregated document. */
export interface GroupDiscovery {
  readonly name: string;
  readonly versions: readonly VersionDiscovery[];
}

/** A version in the aggregated document. */
export interface VersionDiscovery {
  readonly version: string;
  readonly resources: readonly JsonObject[];
  readonly freshness: string;
}

/** Returns the discovery information of groups. */
export function groupDiscoveries(
  groups: readonly DiscoveredGroup[],
  sources: Pick<AggregatedOptions, 'connects' | 'remotes'>,
): readonly GroupDiscovery[] {
  return groups.map((shown) => ({
    name: shown.name,
    versions: shown.versions.map((one) => versionDiscovery(shown, one, sources)),
  }));
}

/** Returns the document with groups. */
export function aggregatedDiscovery(
  groups: readonly GroupDiscovery[],
  { identifiers, version, writesNoCreation }: Pick<AggregatedOptions, 'identifiers' | 'version' | 'writesNoCreation'>,
): { readonly body: JsonObject; readonly parameters: string } {
  const group = aggregatedGroup(identifiers);
  return {
    parameters: `;g=${group};v=${version};as=${aggregatedKind}`,
    body: {
      kind: aggregatedKind,
      apiVersion: `${group}/${version}`,
      metadata: {},
      items: groups.map(({ name, versions }) => ({
        metadata: { ...(name === '' ? {} : { name }), ...(writesNoCreation ? { creationTimestamp: null } : {}) },
        versions: versions.map((one) => ({ ...one, resources: [...one.resources] })),
      })),
    },
  };
}

function versionDiscovery(
  { local }: DiscoveredGroup,
  { version, remote }: DiscoveredVersion,
  { connects, remotes }: Pick<AggregatedOptions, 'connects' | 'remotes'>,
): VersionDiscovery {
  if (remote === undefined) {
    const resources = (local && localResources(connects)(local).get(version)) ?? [];
    return { version, resources, freshness: 'Current' };
  }
  const known = remotes.get(remote);
  return { version, resources: known?.resources ?? [], freshness: known?.isFresh ? 'Current' : 'Stale' };
}

/** Memoized by group, so that a change of one group does not rebuild the others. */
const localResources = memoize((connects: readonly ConnectDefinition[]) =>
  memoize(
    (group: GroupInfo) =>
      new Map(
        group.versions.map((version) => [
          version,
          servedIn(group, version).map((served) => resourceDiscovery(served, connects)),
        ]),
      ),
  ),
);

function resourceDiscovery(served: ServedResource, connects: readonly ConnectDefinition[]): JsonObject {
  const {
    info,
    version: { verbs },
  } = served;
  const subresources = listedSubresources(served, connects);
  return {
    resource: info.resource,
    responseKind: kindOf(info.kind),
    scope: info.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: info.singular,
    verbs: verbs.toSorted(),
    ...(info.shortNames.length > 0 ? { shortNames: [...info.shortNames] } : {}),
    ...(info.categories.length > 0 ? { categories: [...info.categories] } : {}),
    ...(subresources.length > 0 ? { subresources: subresources.map(subresourceDiscovery) } : {}),
  };
}

function subresourceDiscovery({ name, kind, kindVersion, verbs }: ListedSubresource): JsonObject {
  return { subresource: name, responseKind: kindOf(kind, kindVersion), verbs: verbs.toSorted() };
}

/**
 * The group, version and kind of a response; as in kube-apiserver '' if equal to the resource's.
 */
function kindOf(kind: string, { group, version }: GroupVersion = { group: '', version: '' }): JsonObject {
  return { group, version, kind };
}
