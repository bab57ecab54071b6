import { identifierSets, identifiersOf } from '../identifiers/identifiers.ts';
import { hasReason, StatusError } from './error-of-response.ts';
import type { Client } from './client.ts';
import { runtimeJson } from './runtime-json.ts';
import { objectsOf, readObject } from './read-object.ts';
import { groupVersionPath, type ResourceReference } from './resource-path.ts';
import { formatApiVersion } from '../meta/group-version-kind.ts';

/** A resource in one version, with all its names. */
export interface DiscoveredResource extends ResourceReference {
  readonly namespaced: boolean;
  readonly kind: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
}

/** A version of a group whose resources the server does not know at present. */
interface FailedVersion {
  /** `metrics.example.com/v1` */
  readonly groupVersion: string;
  readonly message: string;
}

/** The resources of a server, as far as it knows them. */
export interface Discovery {
  readonly resources: readonly DiscoveredResource[];
  readonly failed: readonly FailedVersion[];
}

/**
 * Returns all resources of the server, the preferred version of each group first. Takes two
 * requests if the server has aggregated discovery, otherwise one more for each version of a group.
 */
export async function discover(client: Client, signal?: AbortSignal): Promise<DiscoveredResource[]> {
  const { resources } = await discoverAll(client, signal);
  return [...resources];
}

/** Returns all resources like `discover`, and the versions that the server could not discover. */
export async function discoverAll(client: Client, signal?: AbortSignal): Promise<Discovery> {
  const found = await Promise.all(discoveryPaths.map((path) => discoverBelow(client, path, signal)));
  return joinDiscoveries(found.map(({ discovery }) => discovery));
}

/** The paths below which all resources are. */
export const discoveryPaths = ['/api', '/apis'] as const;

/** The resources below one of these paths, with the tag of the response if it was only one. */
export interface TaggedDiscovery {
  readonly etag?: string | undefined;
  readonly discovery: Discovery;
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

/** True if the server serves a version of a group. */
export async function servesGroup(client: Client, group: string, signal?: AbortSignal): Promise<boolean> {
  try {
    await fetchJson(client, `/apis/${group}`, signal);
    return true;
  } catch (error) {
    if (hasReason(error, 'NotFound')) return false;
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
    readonly versions?: readonly AggregatedVersion[];
  }[];
}

interface AggregatedVersion {
  readonly version: string;
  /** `Stale` if the server of the group is away. */
  readonly freshness?: string;
  readonly resources?: readonly AggregatedResource[];
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

/** Discovers what is below a path, unless it is still the `kept` one. */
export async function discoverBelow(
  client: Client,
  path: (typeof discoveryPaths)[number],
  signal?: AbortSignal,
  kept?: TaggedDiscovery,
): Promise<TaggedDiscovery> {
  type DiscoveryBody = AggregatedList | PlainVersions | PlainGroupList;
  const request = { method: 'GET', path, accept: aggregatedAccept, etag: kept?.etag, signal };
  const { etag, body } = await client.transport.revalidate(request);
  if (body === undefined && kept) return kept;
  // The protocol guarantees the shapes above; every field that is read has a fallback.
  const answer = readObject(runtimeJson, body ?? Buffer.from('{}'), request) as DiscoveryBody;
  if (answer.kind === 'APIGroupDiscoveryList') {
    const parts = await Promise.all(aggregatedVersions(answer).map((found) => versionDiscovery(client, found, signal)));
    return { etag, discovery: joinDiscoveries(parts) };
  }
  const versions = plainGroupVersions(answer);
  const parts = await Promise.all(versions.map((each) => discoverOrFail(client, each.group, each.version, signal)));
  return { discovery: joinDiscoveries(parts) };
}

/** A fingerprint of the resources that are served below a path; equal if nothing changed. */
export interface DiscoveryState {
  readonly etag?: string | undefined;
  readonly text: string;
}

/**
 * Returns the fingerprint of the resources below a path in one request. On servers without
 * aggregated discovery it only covers the groups.
 */
export async function discoveryState(
  client: Client,
  path: (typeof discoveryPaths)[number],
  known: DiscoveryState | undefined,
  signal?: AbortSignal,
): Promise<DiscoveryState> {
  const request = { method: 'GET', path, accept: aggregatedAccept, etag: known?.etag, signal };
  const { etag, body } = await client.transport.revalidate(request);
  if (body === undefined && known) return known;
  return { etag, text: etag ?? String(body) };
}

/** All of the parts, in their order. */
export function joinDiscoveries(parts: readonly Discovery[]): Discovery {
  return {
    resources: parts.flatMap(({ resources }) => resources),
    failed: parts.flatMap(({ failed }) => failed),
  };
}

async function discoverOrFail(
  client: Client,
  group: string,
  version: string,
  signal?: AbortSignal,
): Promise<Discovery> {
  try {
    return { resources: (await discoverVersion(client, group, version, signal)) ?? [], failed: [] };
  } catch (error) {
    // The server of this group is away; others can be discovered.
    if (!(error instanceof StatusError) || error.code < 500) throw error;
    return { resources: [], failed: [{ groupVersion: formatApiVersion(group, version), message: error.message }] };
  }
}

function aggregatedVersions(list: AggregatedList): readonly (AggregatedVersion & { readonly group: string })[] {
  return objectsOf(list.items).flatMap(({ metadata, versions }) =>
    objectsOf(versions).map((found) => ({ ...found, group: metadata?.name ?? '' })),
  );
}

/** The resources of a stale version may be outdated, so its own server is asked. */
async function versionDiscovery(
  client: Client,
  { group, version, freshness, resources }: AggregatedVersion & { readonly group: string },
  signal?: AbortSignal,
): Promise<Discovery> {
  if (freshness === 'Stale') return discoverOrFail(client, group, version, signal);
  return {
    failed: [],
    resources: objectsOf(resources).map((entry) => ({
      group,
      version,
      resource: entry.resource,
      namespaced: entry.scope === 'Namespaced',
      kind: entry.responseKind?.kind ?? '',
      singular: entry.singularResource ?? '',
      shortNames: entry.shortNames ?? [],
      categories: entry.categories ?? [],
      verbs: entry.verbs ?? [],
    })),
  };
}

function plainGroupVersions(answer: PlainVersions | PlainGroupList): { group: string; version: string }[] {
  if (answer.kind === 'APIVersions') return textsOf(answer.versions).map((version) => ({ group: '', version }));
  return objectsOf(answer.groups).flatMap(({ name: group, versions, preferredVersion }) => {
    const rest = objectsOf(versions)
      .map(({ version }) => version)
      .filter((version) => version !== preferredVersion?.version);
    return [...(preferredVersion ? [preferredVersion.version] : []), ...rest].map((version) => ({ group, version }));
  });
}

function textsOf(list: readonly string[] | undefined): readonly string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}

/** A name with a slash is a sub-resource, which is left out here. */
function plainResources(list: PlainResourceList, group: string, version: string): DiscoveredResource[] {
  return objectsOf(list.resources)
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
async function fetchJson<DiscoveryBody extends object>(
  client: Client,
  path: string,
  signal?: AbortSignal,
): Promise<DiscoveryBody> {
  const request = { method: 'GET', path, signal };
  return readObject(runtimeJson, await client.transport.request(request), request) as DiscoveryBody;
}
