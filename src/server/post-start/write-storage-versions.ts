import { builtInDefinitions } from '../../catalogue/definitions.ts';
import type { StorageVersion } from '../../gen/stored/internal-apiserver-v1alpha1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { withServers } from '../../kinds/internal.apiserver/storage-version.ts';
import { formatApiVersion } from '../../meta/group-version-kind.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { sameValue } from '../../meta/read-field.ts';
import { now } from '../../meta/time.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import type { Registries } from '../../registry/definition/registry.ts';
import type { ResourceDefinition } from '../../registry/definition/resource-definition.ts';
import { systemScope } from '../../registry/internal/ensure-object.ts';
import { changeObject, reconcileObject } from '../../registry/internal/reconcile-object.ts';
import { resourceSegment } from '../../storage/port/object-key.ts';

/** The dependencies of publishing StorageVersions. */
interface StorageVersionDependencies {
  readonly registries: Registries;
  readonly catalogue: LiveCatalogue;
  readonly identifiers: Identifiers;
  /** The identity of this server. */
  readonly serverId: string;
  readonly signal: AbortSignal;
}

/**
 * Publishes in which versions this server encodes, decodes and serves the objects of each built-in
 * resource, before it accepts writes: migrations wait until all servers of a store agree. Resources
 * that share stored objects have a single StorageVersion.
 */
export async function writeStorageVersions(dependencies: StorageVersionDependencies): Promise<void> {
  const { registries, identifiers, signal } = dependencies;
  const registry = registries.forResource(`internal.apiserver.${identifiers.apiDomain}`, 'storageversions');
  if (!registry) return;
  const scope = systemScope(identifiers, registry, signal);
  for (const [name, server] of serverVersions(dependencies)) {
    await reconcileObject(registry, scope, { metadata: { name }, spec: {} }, () => undefined);
    await changeObject<StorageVersion>(registry, { ...scope, name, subresource: 'status' }, (found) => {
      const known = found.status.storageVersions ?? [];
      const index = known.findIndex(({ apiServerID }) => apiServerID === server.apiServerID);
      const servers = index < 0 ? [...known, server] : known.with(index, server);
      const status = withServers(found.status, servers, now());
      // Both are JSON.
      const [before, after] = [found.status, status] as unknown as readonly [JsonObject, JsonObject];
      return sameValue(before, after) ? undefined : { ...found, status: status as StorageVersion['status'] };
    });
  }
}

/** The entry of this server for each resource, by the name of the StorageVersion. */
function serverVersions({ catalogue, identifiers, serverId }: StorageVersionDependencies) {
  const known = builtInDefinitions(identifiers);
  const { resources } = catalogue.current;
  const seen = new Set<string>();
  const stored = resources.filter(({ storage, isCustom }) => storage !== undefined && !isCustom);
  return stored.toSorted(byGroupAndResource).flatMap((info) => {
    const { storage } = info;
    const place = storage && resourceSegment(storage);
    if (!storage || place === undefined || seen.has(place)) return [];
    seen.add(place);
    const { group, version } = storage.writtenAs ?? storage;
    const encodingVersion = formatApiVersion(group, version);
    // As in kube-apiserver: all versions of the resource's own group, and the served ones of other
    // groups.
    const own = known.filter((one) => one.group === info.group && one.resource === info.resource);
    const same = resources.filter((one) => one.storage !== undefined && resourceSegment(one.storage) === place);
    const decodable = new Set([...own.flatMap(apiVersionsOf), ...same.flatMap(apiVersionsOf), encodingVersion]);
    const name = `${info.group === '' ? 'core' : info.group}.${info.resource}`;
    const server = {
      apiServerID: serverId,
      encodingVersion,
      decodableVersions: [...decodable],
      servedVersions: apiVersionsOf(info),
    };
    return [[name, server] as const];
  });
}

function apiVersionsOf({ group, versions }: ResourceDefinition): string[] {
  return versions.map(({ version }) => formatApiVersion(group, version));
}

function byGroupAndResource(a: ResourceDefinition, b: ResourceDefinition): number {
  if (a.group !== b.group) return a.group < b.group ? -1 : 1;
  return a.resource < b.resource ? -1 : 1;
}
