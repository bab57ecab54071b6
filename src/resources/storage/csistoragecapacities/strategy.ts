import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { isSet, objectAt, stringAt } from '../../../meta/read-field.ts';
import { checkRequiredString } from '../../rules/fields/check.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkLabelSelector } from '../../rules/fields/labels.ts';
import { isMoreThan } from '../../rules/fields/quantity.ts';

/** The strategy of CSI storage capacities. */
export const strategy: Strategy = {
  validate: validateCapacity,
  validateUpdate: (capacity, old) =>
    ['nodeTopology', 'storageClassName'].flatMap((name) =>
      checkImmutable(name, getOwn(capacity, name), getOwn(old, name)),
    ),
  allowUnconditionalUpdate: false,
};

function validateCapacity(capacity: JsonObject): FieldError[] {
  const amounts = ['capacity', 'maximumVolumeSize'].filter((name) => isMoreThan('0', stringAt(capacity, name)));
  return [
    ...checkRequiredString('storageClassName', stringAt(capacity, 'storageClassName'), validateDnsSubdomain),
    ...(isSet(capacity, 'nodeTopology') ? checkLabelSelector('nodeTopology', objectAt(capacity, 'nodeTopology')) : []),
    ...amounts.map((name) => invalid(name, stringAt(capacity, name), 'must be greater than or equal to 0')),
  ];
}
