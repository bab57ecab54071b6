import { validateQualifiedName } from '../meta/validate-name.ts';

/** Reports whether a resource of nodes has a domain other than the domain of the built-in ones. */
export function hasCustomDomain(name: string, labelDomain: string): boolean {
  return name.includes('/') && !name.includes(`${labelDomain}/`);
}

/** Reports whether a resource is of another domain, and none of the names of quotas. */
export function isExtendedResource(name: string, labelDomain: string): boolean {
  if (!hasCustomDomain(name, labelDomain) || name.startsWith('requests.')) return false;
  return validateQualifiedName(`requests.${name}`).length === 0;
}
