import type { PersistentVolumeClaim } from '../../../gen/stored/core-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { errorsOfEach } from '../../../status/all-errors.ts';
import { checkOffer } from '../../rules/fields/resource-amounts.ts';
import { checkClaimSpec, validateClaimUpdate } from './validate.ts';

/** The strategy of persistent volume claims. */
export const strategy: Strategy<PersistentVolumeClaim> = {
  returnsDeletedObject: true,
  prepareForCreate: (claim, { identifiers }) => {
    claim.status = { phase: 'Pending' };
    dropUnknownSource(claim, identifiers);
  },
  prepareForUpdate: (claim, old, { identifiers }) => {
    if (!old.spec.dataSource) dropUnknownSource(claim, identifiers);
  },
  validate: ({ spec }) => checkClaimSpec(spec, 'spec'),
  validateUpdate: validateClaimUpdate,
  subresources: {
    status: {
      validateUpdate: ({ status }) =>
        errorsOfEach(Object.entries(status.capacity ?? {}), ([name, amount]) =>
          checkOffer(`status.capacity[${name}]`, amount),
        ),
    },
  },
  generation: false,
};

/** Removes a data source that is neither a claim nor a volume snapshot. Mutates. */
function dropUnknownSource({ spec }: PersistentVolumeClaim, { apiDomain }: Identifiers): void {
  const { apiGroup, kind } = spec.dataSource ?? {};
  const name = `${apiGroup ?? ''}/${kind}`;
  if (!['/PersistentVolumeClaim', `snapshot.storage.${apiDomain}/VolumeSnapshot`].includes(name)) {
    delete spec.dataSource;
  }
}
