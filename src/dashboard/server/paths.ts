import type { DiscoveredResource } from '../../client/discovery.ts';

/** The path of a group and version of the API. */
function versionPath({ group, version }: Pick<DiscoveredResource, 'group' | 'version'>): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** The path of a collection; '' is all namespaces. */
export function collectionPath(kind: DiscoveredResource, namespace: string): string {
  const inside = kind.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${versionPath(kind)}${inside}/${kind.resource}`;
}

/** The path of an object. */
export function objectPath(kind: DiscoveredResource, namespace: string, name: string): string {
  return `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`;
}

/** A path with a query, without the parameters that are empty. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
