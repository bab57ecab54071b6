import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Catalogue, GroupInfo, ServedResource } from '../../registry/catalogue.ts';
import type { ConnectDefinition } from '../../registry/connect-definition.ts';
import { memoize } from '../../meta/memoize.ts';
import { servedIn } from './api-resources.ts';
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
  /** True for the core group, false for all other groups. */
  readonly core: boolean;
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/**
 * Returns the discovery information of all groups in one document: the core group for `/api`, the
 * other groups for `/apis`.
 */
export function aggregatedDiscovery(
  { groups }: Catalogue,
  { identifiers, connects, version, core }: AggregatedOptions,
): { readonly body: object; readonly contentType: string } {
  const group = aggregatedGroup(identifiers);
  return {
    contentType: `application/json;g=${group};v=${version};as=${aggregatedKind}`,
    body: {
      kind: aggregatedKind,
      apiVersion: `${group}/${version}`,
      metadata: {},
      items: groups.filter((info) => (info.group === '') === core).map(groupDiscovery(connects)),
    },
  };
}

/** Memoized by group, so that a change of one group does not rebuild the others. */
const groupDiscovery = memoize((connects: readonly ConnectDefinition[]) =>
  memoize((group: GroupInfo) => ({
    metadata: { name: group.group, creationTimestamp: null },
    versions: group.versions.map((version) => ({
      version,
      resources: servedIn(group, version).map((served) => resourceDiscovery(served, connects)),
      freshness: 'Current',
    })),
  })),
);

function resourceDiscovery(served: ServedResource, connects: readonly ConnectDefinition[]): object {
  const {
    info,
    version: { version, verbs },
  } = served;
  const subresources = listedSubresources(served, connects);
  const own = { group: info.group, version, kind: info.kind };
  return {
    resource: info.resource,
    responseKind: own,
    scope: info.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: info.singular,
    verbs: verbs.toSorted(),
    ...(info.shortNames.length > 0 ? { shortNames: info.shortNames } : {}),
    ...(info.categories.length > 0 ? { categories: info.categories } : {}),
    ...(subresources.length > 0
      ? { subresources: subresources.map((subresource) => subresourceDiscovery(own, subresource)) }
      : {}),
  };
}

function subresourceDiscovery(own: GroupVersion, { name, kind, foreign = own, verbs }: ListedSubresource): object {
  return {
    subresource: name,
    responseKind: { group: foreign.group, version: foreign.version, kind },
    verbs: verbs.toSorted(),
  };
}
