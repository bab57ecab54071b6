import { identifierSets, identifiersOf } from '../identifiers/identifiers.ts';
import { hasReason } from './status-error.ts';
import type { Client } from './client.ts';
import { groupVersionPath, type ResourceReference } from './resource-path.ts';

/** A resource in one version, with all its names. */
export interface DiscoveredResource extends ResourceReference {
  readonly namespaced: boolean;
  readonly kind: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
}

/**
 * Returns all resources of the server, the preferred version of each group first. Takes two
 * requests if the server has aggregated discovery, otherwise one more for each version of a group.
 */
export async function discover(client: Client, signal?: AbortSignal): Promise<DiscoveredResource[]> {
  const found = await Promise.all(['/api', '/apis'].map((path) => discoverBelow(client, path, signal)));
  return found.flat();
}

/** Returns the resources of one group and version; undefined if the server does not serve it. */
export async function discoverVersion(
  client: Client,
  group: string,
  version: string,
  signal?: AbortSignal,
): Promise<DiscoveredResource[] | undefined> {
  try {
    const path = groupVersionPath(group, version);
    return plainResources(await fetchJson<PlainResourceList>(client, path, signal), group, version);
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** Media types of both identifier sets, so that the client need not know the server's. */
const aggregatedAccept = [
  ...identifierSets.map((set) => {
    const group = `apidiscovery.${identifiersOf(set).apiDomain}`;
    return `application/json;g=${group};v=v2;as=APIGroupDiscoveryList`;
  }),
  'application/json;q=0.9',
].join(',');

interface AggregatedList {
  readonly kind: 'APIGroupDiscoveryList';
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly { readonly version: string; readonly resources?: readonly AggregatedResource[] }[];
  }[];
}

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind?: { readonly kind?: string };
  readonly scope?: string;
  readonly singularResource?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

interface PlainVersions {
  readonly kind: 'APIVersions';
  readonly versions?: readonly string[];
}

interface PlainGroupList {
  readonly kind: 'APIGroupList';
  readonly groups?: readonly {
    readonly name: string;
    readonly versions?: readonly { readonly version: string }[];
    readonly preferredVersion?: { readonly version: string };
  }[];
}

interface PlainResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced?: boolean;
    readonly singularName?: string;
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
    readonly verbs?: readonly string[];
  }[];
}

async function discoverBelow(client: Client, path: string, signal?: AbortSignal): Promise<DiscoveredResource[]> {
  type DiscoveryBody = AggregatedList | PlainVersions | PlainGroupList;
  const answer = await fetchJson<DiscoveryBody>(client, path, signal, aggregatedAccept);
  if (answer.kind === 'APIGroupDiscoveryList') return aggregatedResources(answer);
  const lists = await Promise.all(
    plainGroupVersions(answer).map(({ group, version }) => discoverVersion(client, group, version, signal)),
  );
  return lists.flatMap((list) => list ?? []);
}

function aggregatedResources(list: AggregatedList): DiscoveredResource[] {
  return (list.items ?? []).flatMap(({ metadata, versions = [] }) =>
    versions.flatMap(({ version, resources = [] }) =>
      resources.map((entry) => ({
        group: metadata?.name ?? '',
        version,
        resource: entry.resource,
        namespaced: entry.scope === 'Namespaced',
        kind: entry.responseKind?.kind ?? '',
        singular: entry.singularResource ?? '',
        shortNames: entry.shortNames ?? [],
        categories: entry.categories ?? [],
        verbs: entry.verbs ?? [],
      })),
    ),
  );
}

function plainGroupVersions(answer: PlainVersions | PlainGroupList): { group: string; version: string }[] {
  if (answer.kind === 'APIVersions') return (answer.versions ?? []).map((version) => ({ group: '', version }));
  return (answer.groups ?? []).flatMap(({ name: group, versions = [], preferredVersion }) => {
    const rest = versions.map(({ version }) => version).filter((version) => version !== preferredVersion?.version);
    return [...(preferredVersion ? [preferredVersion.version] : []), ...rest].map((version) => ({ group, version }));
  });
}

/** A name with a slash is a sub-resource, which is left out here. */
function plainResources(list: PlainResourceList, group: string, version: string): DiscoveredResource[] {
  return (list.resources ?? [])
    .filter(({ name }) => !name.includes('/'))
    .map((entry) => ({
      group,
      version,
      resource: entry.name,
      namespaced: entry.namespaced ?? false,
      kind: entry.kind,
      singular: entry.singularName ?? '',
      shortNames: entry.shortNames ?? [],
      categories: entry.categories ?? [],
      verbs: entry.verbs ?? [],
    }));
}

/** The protocol guarantees the shapes above; every field that is read has a fallback. */
async function fetchJson<DiscoveryBody>(
  client: Client,
  path: string,
  signal?: AbortSignal,
  accept?: string,
): Promise<DiscoveryBody> {
  const body = await client.transport.request({ method: 'GET', path, accept, signal });
  return JSON.parse(body.toString('utf8')) as DiscoveryBody;
}
