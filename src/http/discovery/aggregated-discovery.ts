import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Catalogue, GroupInfo } from '../../scheme/catalogue.ts';
import type { ResourceInfo, ResourceVersionInfo, SubresourceInfo } from '../../scheme/resource-info.ts';
import { servedIn } from './api-resources.ts';

/** Versions of the aggregated document, which are alike but for their name. */
export type AggregatedVersion = (typeof aggregatedVersions)[number];

/** The versions that are served. */
export const aggregatedVersions = ['v2', 'v2beta1'] as const;

/** The kind of the document, as clients ask for it with `as`. */
export const aggregatedKind = 'APIGroupDiscoveryList';

/** The group that aggregated discovery belongs to. */
export function aggregatedGroup({ apiDomain }: Identifiers): string {
  return `apidiscovery.${apiDomain}`;
}

/** Everything that discovery says, in one document: the core group for `/api`, all others for `/apis`. */
export function aggregatedDiscovery(
  catalogue: Catalogue,
  identifiers: Identifiers,
  version: AggregatedVersion,
  core: boolean,
): { readonly body: object; readonly contentType: string } {
  const group = aggregatedGroup(identifiers);
  const groups = catalogue.groups().filter((info) => (info.group === '') === core);
  return {
    contentType: `application/json;g=${group};v=${version};as=${aggregatedKind}`,
    body: {
      kind: aggregatedKind,
      apiVersion: `${group}/${version}`,
      metadata: {},
      items: groups.map((info) => groupDiscovery(catalogue, info)),
    },
  };
}

function groupDiscovery(catalogue: Catalogue, { group, versions }: GroupInfo): object {
  return {
    metadata: { name: group, creationTimestamp: null },
    versions: versions.map((version) => ({
      version,
      resources: servedIn(catalogue, group, version).map(({ info, served }) => resourceDiscovery(info, served)),
      freshness: 'Current',
    })),
  };
}

function resourceDiscovery(info: ResourceInfo, { version, verbs, subresources }: ResourceVersionInfo): object {
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

function subresourceDiscovery(own: object, { name, kind, verbs }: SubresourceInfo): object {
  return { subresource: name, responseKind: kind ?? own, verbs: verbs.toSorted() };
}
