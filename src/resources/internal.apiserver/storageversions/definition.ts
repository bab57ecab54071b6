import type { Column } from '../../../codec/table-definition.ts';
import type { ServerStorageVersion, StorageVersion } from '../../../gen/stored/internal-apiserver-v1alpha1.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { allFields, keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { statusSubresource } from '../../subresources.ts';
import { validateStorageVersionName, validateStorageVersions } from './validate.ts';

/** The strategy of StorageVersions. */
const strategy: Strategy<StorageVersion> = {
  validateName: validateStorageVersionName,
  allowUnconditionalUpdate: false,
  generation: false,
  subresources: { status: { ...keepMetadata(allFields), validateUpdate: validateStorageVersions } },
};

const unset = '<unset>';
const shownServers = 3;

/** The columns of StorageVersions. */
const columns: readonly Column<StorageVersion>[] = [
  nameColumn,
  textColumn(
    'CommonEncodingVersion',
    'Version in which all servers write.',
    ({ status }) => status.commonEncodingVersion ?? unset,
  ),
  textColumn('StorageVersions', 'Version in which each server writes.', ({ status }) =>
    formatServers(status.storageVersions ?? []),
  ),
  ageColumn,
];

function formatServers(servers: readonly ServerStorageVersion[]): string {
  if (servers.length === 0) return unset;
  const shown = servers
    .slice(0, shownServers)
    .map(({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`)
    .join(',');
  return servers.length > shownServers ? `${shown} + ${servers.length - shownServers} more...` : shown;
}

/** The resource `storageversions` of the group `internal.apiserver`. */
export const storageVersions = builtIn<StorageVersion>({
  group: 'internal.apiserver',
  resource: 'storageversions',
  kind: 'StorageVersion',
  versions: { v1alpha1: { introduced: '1.20' } },
  subresources: [statusSubresource],
  columns,
  strategy,
});
