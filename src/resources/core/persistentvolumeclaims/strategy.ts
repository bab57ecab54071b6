import type { JsonObject } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { type FieldError, forbidden, required } from '../../../status/field-error.ts';
import { isSet, objectAt, sameValue, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { checkLabelSelector } from '../../rules/labels.ts';

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
    validateUpdate: checkFixedFields,
    generation: false,
    selectableFields: ['name'],
    fieldsOf: (claim) => ({ name: stringAt(objectAt(claim, 'metadata'), 'name') }),
  },
};

function validateClaim(claim: JsonObject): FieldError[] {
  const spec = objectAt(claim, 'spec');
  return [
    ...(stringsAt(spec, 'accessModes').length === 0
      ? [required('spec.accessModes', 'at least 1 access mode is required')]
      : []),
    ...(isSet(objectAt(spec, 'resources', 'requests'), 'storage') ? [] : [required('spec.resources[storage]')]),
    ...(isSet(spec, 'selector') ? checkLabelSelector('spec.selector', objectAt(spec, 'selector')) : []),
  ];
}

/** A bound claim may ask for more room; nothing else changes, but that a volume is found. */
function checkFixedFields(claim: JsonObject, old: JsonObject): FieldError[] {
  const bound = stringAt(objectAt(old, 'status'), 'phase') === 'Bound';
  return sameValue(fixedPart(claim, old, bound), fixedPart(old, old, bound)) ? [] : [forbidden('spec', fixedMessage)];
}

const fixedMessage = 'is immutable after creation except resources.requests for bound claims';

function fixedPart(claim: JsonObject, old: JsonObject, bound: boolean): JsonObject {
  const { resources, volumeName, ...spec } = objectAt(claim, 'spec');
  const assigned = stringAt(objectAt(old, 'spec'), 'volumeName') !== '';
  return {
    ...spec,
    ...(bound || resources === undefined ? {} : { resources }),
    ...(assigned && volumeName !== undefined ? { volumeName } : {}),
  };
}
