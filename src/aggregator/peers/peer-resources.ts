import type { GroupDiscovery, VersionDiscovery } from '../../api/discovery/aggregated-discovery.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { passedHeader } from '../../identifiers/peer-header.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import { type Backend, hostOf } from '../../outbound/backend.ts';
import { readBody, type ServerAddress } from '../../outbound/json-client.ts';
import { userHeaders } from '../forward/forwarded-request-headers.ts';

/** The resources that a peer serves itself. */
export interface PeerResources {
  /** The resources as keys of `resourceKey`. */
  readonly served: ReadonlySet<string>;
  /** The groups as in discovery, without the core group. */
  readonly groups: readonly GroupDiscovery[];
}

/** The key of a resource in a version of a group. */
export function resourceKey(group: string, version: string, resource: string): string {
  return `${group}/${version}/${resource}`;
}

/** A discovery request to a peer. */
interface PeerRequest {
  readonly identifiers: Identifiers;
  readonly backend: Backend;
  readonly address: ServerAddress;
  readonly signal: AbortSignal;
}

const timeoutMs = 10_000;

/** The limit of a discovery document: parsing a larger one would block the event loop. */
const maxBytes = 6 * 1024 * 1024;

/** The most resources that are accepted from a peer. */
const maxResources = 20_000;

/**
 * Requests the resources that a peer serves. Rejects if the response is not a discovery document.
 */
export async function readPeerResources(request: PeerRequest): Promise<PeerResources> {
  const lists = await Promise.all(['/api', '/apis'].map((path) => readGroups(path, request)));
  const groups = lists.flat();
  const served = groups.flatMap(({ name, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.map((one) => resourceKey(name, version, stringAt(one, 'resource'))),
    ),
  );
  if (served.length > maxResources) throw new Error(`more than ${maxResources} resources`);
  const named = new Map(groups.map((group) => [group.name, group]));
  named.delete('');
  return { served: new Set(served), groups: [...named.values()] };
}

async function readGroups(
  path: string,
  { identifiers, backend, address, signal }: PeerRequest,
): Promise<GroupDiscovery[]> {
  const group = `apidiscovery.${identifiers.apiDomain}`;
  const form = `application/json;g=${group};v=v2;as=APIGroupDiscoveryList`;
  const user = { username: 'system:apiserver', uid: 'system:apiserver', groups: ['system:authenticated'], extra: {} };
  const headers = ['Host', hostOf(address), 'Accept', `${form};profile=nopeer,${form}`, passedHeader, 'true'];
  const limited = AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]);
  const sent = { address, method: 'GET', path, headers: [...headers, ...userHeaders(user)], signal: limited };
  const { status, body } = await backend.send(sent);
  if (status !== 200) {
    body.destroy();
    throw new Error(`${path}: status ${status}`);
  }
  const bytes = await readBody(body, maxBytes);
  // JSON.parse returns JSON values.
  const value = JSON.parse(bytes?.toString('utf8') ?? '') as JsonValue;
  if (!isJsonObject(value) || value['kind'] !== 'APIGroupDiscoveryList') {
    throw new Error(`${path}: not an APIGroupDiscoveryList`);
  }
  return objectsAt(value, 'items').map(readGroup);
}

function readGroup(group: JsonObject): GroupDiscovery {
  return {
    name: stringAt(objectAt(group, 'metadata'), 'name'),
    versions: objectsAt(group, 'versions').map(readVersion),
  };
}

function readVersion(version: JsonObject): VersionDiscovery {
  return {
    version: stringAt(version, 'version'),
    resources: objectsAt(version, 'resources'),
    freshness: stringAt(version, 'freshness'),
  };
}
