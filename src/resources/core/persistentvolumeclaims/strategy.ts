import { errorsOfEach } from '../../../status/all-errors.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { isSet, objectAt, stringAt, stringEntriesAt } from '../../../meta/read-field.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { checkOffer } from '../../rules/fields/resource-amounts.ts';
import { checkClaimSpec, validateClaimUpdate } from './validate.ts';

/** The strategy of persistent volume claims. */
export const strategy: Strategy = {
  returnsDeletedObject: true,
  prepareForCreate: (claim, { identifiers }) => {
    claim['status'] = { phase: 'Pending' };
    dropUnknownSource(claim, identifiers);
  },
  prepareForUpdate: (claim, old, { identifiers }) => {
    if (!isSet(objectAt(old, 'spec'), 'dataSource')) dropUnknownSource(claim, identifiers);
  },
  validate: validateClaim,
  validateUpdate: validateClaimUpdate,
  subresources: { status: { validateUpdate: checkGivenRoom } },
  generation: false,
};

/** Checks the capacity in the status of a claim: not negative. */
function checkGivenRoom(claim: JsonObject): readonly FieldError[] {
  const capacity = objectAt(claim, 'status', 'capacity');
  return errorsOfEach(stringEntriesAt({ capacity }, 'capacity'), ([name, amount]) =>
    checkOffer(`status.capacity[${name}]`, amount),
  );
}

/** Removes a data source that is neither a claim nor a volume snapshot. Mutates. */
function dropUnknownSource(claim: JsonObject, { apiDomain }: Identifiers): void {
  const spec = objectAt(claim, 'spec');
  const source = objectAt(spec, 'dataSource');
  const name = [stringAt(source, 'apiGroup'), stringAt(source, 'kind')].join('/');
  if (!['/PersistentVolumeClaim', `snapshot.storage.${apiDomain}/VolumeSnapshot`].includes(name)) {
    delete spec['dataSource'];
  }
}

function validateClaim(claim: JsonObject): FieldError[] {
  return checkClaimSpec(objectAt(claim, 'spec'), 'spec');
}
