import type { GroupDiscovery, VersionDiscovery } from '../../api/discovery/aggregated-discovery.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { objectsAt, stringAt, stringsAt } from '../../meta/read-field.ts';
import { mergeInOrder } from './merge-in-order.ts';

/**
 * Merges the groups of several servers, which are given in the order of their names. The first
 * server with a group, version or resource describes it; the others add versions, resources, verbs
 * and sub-resources.
 */
export function mergeGroups(servers: readonly (readonly GroupDiscovery[])[]): readonly GroupDiscovery[] {
  return mergeLists(servers, ({ name }) => name, mergeTwoGroups);
}

function mergeTwoGroups(one: GroupDiscovery, other: GroupDiscovery): GroupDiscovery {
  return { ...one, versions: mergeLists([one.versions, other.versions], ({ version }) => version, mergeVersions) };
}

function mergeVersions(one: VersionDiscovery, other: VersionDiscovery): VersionDiscovery {
  return { ...one, resources: mergeLists([one.resources, other.resources], resourceName, mergeResources) };
}

function resourceName(resource: JsonObject): string {
  return stringAt(resource, 'resource');
}

function mergeResources(one: JsonObject, other: JsonObject): JsonObject {
  const verbs = new Set([...stringsAt(one, 'verbs'), ...stringsAt(other, 'verbs')]);
  const parts = new Map(
    [...objectsAt(one, 'subresources'), ...objectsAt(other, 'subresources')].map((part) => [
      stringAt(part, 'subresource'),
      part,
    ]),
  );
  const subresources = [...parts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
  return { ...one, verbs: [...verbs].toSorted(), ...(subresources.length > 0 ? { subresources } : {}) };
}

/** Merges lists of named items; `join` merges two items with the same name. */
function mergeLists<T>(
  lists: readonly (readonly T[])[],
  nameOf: (one: T) => string,
  join: (one: T, other: T) => T,
): readonly T[] {
  const merged = new Map<string, T>();
  for (const one of lists.flat()) {
    const known = merged.get(nameOf(one));
    merged.set(nameOf(one), known === undefined ? one : join(known, one));
  }
  return mergeInOrder(lists.map((list) => list.map(nameOf))).flatMap((name) => merged.get(name) ?? []);
}
