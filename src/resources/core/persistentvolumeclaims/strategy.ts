import type { JsonObject } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { isSet, objectAt, sameValue, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { checkString } from '../../rules/check.ts';
import { checkStorage } from '../../rules/resource-amounts.ts';
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

/** Excludes other modes, as it excludes other pods. */
const exclusiveMode = 'ReadWriteOncePod';

function validateClaim(claim: JsonObject): FieldError[] {
  const spec = objectAt(claim, 'spec');
  const modes = stringsAt(spec, 'accessModes');
  const requests = objectAt(spec, 'resources', 'requests');
  const className = stringAt(spec, 'storageClassName');
  return [
    ...(modes.length === 0 ? [required('spec.accessModes', 'at least 1 access mode is required')] : []),
    ...(modes.length > 1 && modes.includes(exclusiveMode)
      ? [forbidden('spec.accessModes', `may not use ${exclusiveMode} with other access modes`)]
      : []),
    ...(isSet(requests, 'storage')
      ? checkStorage('spec.resources[storage]', stringAt(requests, 'storage'))
      : [required('spec.resources[storage]')]),
    ...(className === '' ? [] : checkString('spec.storageClassName', className, validateDnsSubdomain)),
    ...sourceErrors(spec),
    ...(isSet(spec, 'selector') ? checkLabelSelector('spec.selector', objectAt(spec, 'selector')) : []),
  ];
}

/** From what the volume is filled: a claim, or something of a group that says what it is. */
function sourceErrors(spec: JsonObject): FieldError[] {
  if (!isSet(spec, 'dataSource')) return [];
  const source = objectAt(spec, 'dataSource');
  const kind = stringAt(source, 'kind');
  return [
    ...['name', 'kind']
      .filter((name) => stringAt(source, name) === '')
      .map((name) => required(`spec.dataSource.${name}`)),
    ...(stringAt(source, 'apiGroup') === '' && kind !== 'PersistentVolumeClaim' && kind !== ''
      ? [invalid('spec.dataSource', kind, '')]
      : []),
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
