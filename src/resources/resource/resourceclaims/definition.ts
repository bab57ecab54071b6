import type { Column } from '../../../codec/table.ts';
import type { ResourceClaim } from '../../../gen/stored/resource-v1.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { olderClaims } from '../../rules/devices/older-claims.ts';
import { statusSubresource } from '../../subresources.ts';
import { deviceVersions } from '../device-versions.ts';
import { strategy } from './strategy.ts';

/** The columns of resource claims. */
const columns: readonly Column<ResourceClaim>[] = [
  nameColumn,
  textColumn('State', 'Whether the claim is allocated, reserved or deleted.', stateOf),
  ageColumn,
];

function stateOf({ metadata, status: { allocation, reservedFor = [] } }: ResourceClaim): string {
  const isDeleted = metadata.deletionTimestamp !== undefined;
  const states = [isDeleted ? 'deleted' : '', allocation ? 'allocated' : isDeleted ? '' : 'pending'];
  if (allocation && reservedFor.length > 0) states.push('reserved');
  return states.filter((state) => state !== '').join(',');
}

/** The resource `resourceclaims` of the group `resource`. */
export const resourceClaims = builtIn<ResourceClaim>({
  group: 'resource',
  resource: 'resourceclaims',
  kind: 'ResourceClaim',
  namespaced: true,
  versions: deviceVersions(olderClaims(['spec', 'devices'])),
  subresources: [statusSubresource],
  columns,
  strategy,
});
