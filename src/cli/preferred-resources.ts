import type { DiscoveredResource } from '../client/discovery.ts';

/** The resources in their order, each in the version of its group that the server names first. */
export function preferredResources(resources: readonly DiscoveredResource[]): DiscoveredResource[] {
  const seen = new Set<string>();
  return resources.filter(({ group, resource }) => {
    const key = `${group}/${resource}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
