import type { ResourceReference } from '../../client/resource-path.ts';

/** `pod/a`, `deployment.apps/b`: what other commands take. */
export function objectName(resource: ResourceReference & { readonly singular: string }, name: string): string {
  const word = resource.singular || resource.resource;
  return `${resource.group ? `${word}.${resource.group}` : word}/${name}`;
}
