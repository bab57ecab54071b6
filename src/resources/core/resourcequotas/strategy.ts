import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { parseQuantity } from '../../../meta/quantity.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { objectAt, stringEntriesAt } from '../../../meta/read-field.ts';
import { checkString } from '../../rules/check.ts';
import { checkImmutable } from '../../rules/immutable.ts';

/** Resource quotas. What a quota counts is fixed by its scopes. */
export const definition: ResourceDefinition = {
  group: '',
  resource: 'resourcequotas',
  strategy: {
    returnsDeletedObject: true,
    validate: validateResourceQuota,
    validateUpdate: (quota, old) =>
      checkImmutable('spec.scopes', getOwn(objectAt(quota, 'spec'), 'scopes'), getOwn(objectAt(old, 'spec'), 'scopes')),
    generation: false,
  },
};

function validateResourceQuota(quota: JsonObject): FieldError[] {
  return stringEntriesAt(objectAt(quota, 'spec'), 'hard').flatMap(([name, amount]) => {
    const field = `spec.hard[${name}]`;
    const quantity = parseQuantity(amount);
    return [
      ...checkString(field, name, validateQualifiedName),
      ...('error' in quantity || quantity.nanos >= 0n
        ? []
        : [invalid(field, amount, 'must be greater than or equal to 0')]),
    ];
  });
}
