import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import { StatusError } from '../../status/status-error.ts';
import type { Filter } from './filter.ts';

/** The verbs that do not write. */
const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** The dependencies of the filter. */
interface StorageVersionsOptions {
  readonly identifiers: Identifiers;
  readonly catalogue: LiveCatalogue;
  /** True until this server has written its StorageVersions. */
  readonly arePending: () => boolean;
}

/**
 * Refuses writes of built-in resources until this server has published its StorageVersions.
 * StorageVersions themselves and Leases of the system are exempt.
 */
export function storageVersions({ identifiers, catalogue, arePending }: StorageVersionsOptions): Filter {
  const { apiDomain, prefix } = identifiers;
  return ({ verb, path: { target } }) => {
    if (!target || readVerbs.has(verb) || !arePending()) return;
    const { group, resource, namespace } = target;
    if (group === `internal.apiserver.${apiDomain}` && resource === 'storageversions') return;
    if (group === `coordination.${apiDomain}` && resource === 'leases' && namespace === `${prefix}system`) return;
    const info = catalogue.current.resource(group, resource);
    if (!info?.storage || info.isCustom) return;
    const name = group === '' ? resource : `${resource}.${group}`;
    const text = 'wait for storage version registration to complete for resource';
    throw new StatusError('ServiceUnavailable', `${text}: ${name}, last seen error: <nil>`);
  };
}
