import { createHash } from 'node:crypto';
import type { GroupInfo, ServedResource } from '../../registry/definition/catalogue.ts';
import type { ConnectDefinition } from '../../registry/definition/connect-definition.ts';
import type {
  ResourceDefinition,
  StorageDefinition,
  VersionDefinition,
} from '../../registry/definition/resource-definition.ts';
import { type ListedSubresource, listedSubresources } from './listed-subresources.ts';

/**
 * Returns the APIResourceList of a group and version, sorted by name; sub-resources follow their
 * resource.
 */
export function apiResourceList(group: GroupInfo, version: string, connects: readonly ConnectDefinition[]): object {
  const resources = servedIn(group, version).flatMap((served) => [
    apiResource(served.info, served.version),
    ...listedSubresources(served, connects).map((subresource) => apiSubresource(served.info, subresource)),
  ]);
  return {
    kind: 'APIResourceList',
    ...(group.group ? { apiVersion: 'v1', groupVersion: `${group.group}/${version}` } : { groupVersion: version }),
    resources,
  };
}

/** Returns the resources of a group and version, sorted by name. */
export function servedIn({ resources }: GroupInfo, version: string): readonly ServedResource[] {
  return resources
    .flatMap((info) => info.versions.map((served) => ({ info, version: served })))
    .filter((served) => served.version.version === version)
    .toSorted((a, b) => compare(a.info.resource, b.info.resource));
}

/** Compares by code unit, independent of the locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function apiResource(info: ResourceDefinition, { verbs }: VersionDefinition): object {
  return {
    name: info.resource,
    singularName: info.singular,
    namespaced: info.namespaced,
    kind: info.kind,
    verbs,
    ...(info.shortNames.length > 0 ? { shortNames: info.shortNames } : {}),
    ...(info.categories.length > 0 ? { categories: info.categories } : {}),
    ...(info.storage ? { storageVersionHash: storageVersionHash(info.storage) } : {}),
  };
}

function apiSubresource(info: ResourceDefinition, { name, kind, kindVersion, verbs }: ListedSubresource): object {
  return {
    name: `${info.resource}/${name}`,
    singularName: '',
    namespaced: info.namespaced,
    ...(kindVersion ? { group: kindVersion.group, version: kindVersion.version } : {}),
    kind,
    verbs: verbs.toSorted(),
  };
}

/**
 * Returns a hash by which clients can see if two servers store a resource in the same form. Equal
 * for equal group, version and kind.
 */
function storageVersionHash({ kind, ...storage }: StorageDefinition): string {
  const { group, version } = storage.writtenAs ?? storage;
  const digest = createHash('sha256').update(`${group}/${version}/${kind}`).digest();
  return digest.subarray(0, 8).toString('base64');
}
