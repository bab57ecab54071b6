import type { ResourceReference } from '../../client/resource-path.ts';

/** The name of an object as other commands accept it: `pod/a`, `deployment.apps/b`. */
export function objectName(resource: ResourceReference & { readonly singular: string }, name: string): string {
  const word = resource.singular || resource.resource;
  return `${resource.group ? `${word}.${resource.group}` : word}/${name}`;
}
