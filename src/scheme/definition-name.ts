import type { Identifiers } from '../identifiers/identifiers.ts';

type PackageName = (identifiers: Identifiers, version: string) => string;

/** The packages of proto/ whose definitions are not below `api`, by the group in the package. */
const places: ReadonlyMap<string, PackageName> = new Map<string, PackageName>([
  ['meta', (_, version) => `apimachinery.pkg.apis.meta.${version}`],
  ['resource', () => 'apimachinery.pkg.api.resource'],
  ['intstr', () => 'apimachinery.pkg.util.intstr'],
  ['runtime', () => 'apimachinery.pkg.runtime'],
  ['version', () => 'apimachinery.pkg.version'],
  ['apiextensions', (_, version) => `apiextensions-apiserver.pkg.apis.apiextensions.${version}`],
  ['apiregistration', ({ prefix }, version) => `${prefix}aggregator.pkg.apis.apiregistration.${version}`],
  ['rbac_authorization', (_, version) => `api.rbac.${version}`],
]);

/**
 * Returns the name of a message's definition in published OpenAPI. Clients and generators know the
 * definitions of built-in kinds by these names. A custom kind's message `<group>.<version>.<kind>`
 * is named by its reversed group.
 */
export function definitionName(message: string, identifiers: Identifiers): string {
  const steps = message.split('.');
  const [name = '', version = '', ...group] = steps.toReversed();
  if (group.at(-1) !== 'api' || group.length !== 2) return [...group, version, name].join('.');
  const [short = ''] = group;
  const place = places.get(short)?.(identifiers, version) ?? `api.${short}.${version}`;
  return `${identifiers.apiDomain.split('.').toReversed().join('.')}.${place}.${name}`;
}
