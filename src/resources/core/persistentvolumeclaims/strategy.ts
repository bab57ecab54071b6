import type { JsonObject } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { objectAt, stringAt } from '../../../meta/read-field.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { checkClaimSpec, validateClaimUpdate } from './validate.ts';

/** Claims of persistent volumes. */
export const definition: ResourceDefinition = {
  group: '',
  resource: 'persistentvolumeclaims',
  strategy: {
    returnsDeletedObject: true,
    prepareForCreate: (claim) => {
      claim['status'] = { phase: 'Pending' };
    },
    validate: validateClaim,
    validateUpdate: validateClaimUpdate,
    updateErrors: 'stateTwice',
    generation: false,
    selectableFields: ['name'],
    fieldsOf: (claim) => ({ name: stringAt(objectAt(claim, 'metadata'), 'name') }),
  },
};

function validateClaim(claim: JsonObject): FieldError[] {
  return checkClaimSpec(objectAt(claim, 'spec'), 'spec');
}
