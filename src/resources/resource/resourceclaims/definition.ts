import type { Column } from '../../../codec/table-definition.ts';
import type { ResourceClaim } from '../../../gen/stored/resource-v1.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { olderClaims } from '../../rules/devices/older-claims.ts';
import { statusSubresource } from '../../subresources.ts';
import { deviceVersions } from '../device-versions.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { checkDeviceClaim } from '../../rules/devices/check-device-claim.ts';
import { defaultDeviceClaim } from '../../rules/devices/claim-defaults.ts';
import { checkExpressions, expressionsOfClaim } from '../../rules/devices/expressions.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { keepMetadata, userFields } from '../../rules/fields/keep-metadata.ts';
import { dropDeallocated, validateClaimStatus } from './validate-claim-status.ts';

const sameSpec = sameMessage('api.resource.v1.ResourceClaimSpec');

const kept = keepMetadata([...userFields, 'deletionTimestamp']);

/**
 * The strategy of ResourceClaims. The spec is immutable; the scheduler and drivers write the
 * status.
 */
const strategy: Strategy<ResourceClaim> = {
  generation: false,
  returnsDeletedObject: true,
  default: ({ spec }) => defaultDeviceClaim(spec.devices),
  validate: (claim, { emulated }, old) => {
    if (old) return [];
    const spec = new FieldCursor(claim).at('spec');
    checkDeviceClaim(spec.at('devices'), emulated);
    return spec.errors;
  },
  validateRules: (object, { old }) => {
    const { spec } = object as unknown as ResourceClaim;
    return old ? [] : checkExpressions(expressionsOfClaim(spec.devices, 'spec.devices'));
  },
  validateUpdate: ({ spec }, old) => checkImmutable('spec', spec, old.spec, sameSpec),
  subresources: {
    status: {
      ...kept,
      prepareForUpdate: (claim, old, context) => {
        kept.prepareForUpdate?.(claim, old, context);
        dropDeallocated(claim, old);
      },
      validateUpdate: validateClaimStatus,
    },
  },
};

/** The columns of ResourceClaims. */
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
