import type { JsonObject } from '../../../meta/json-value.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { numberAt, objectAt } from '../../../meta/read-field.ts';
import { checkCounts } from '../../rules/fields/check.ts';

/**
 * The strategy of leases. An update needs a resourceVersion, so that a renewal cannot overwrite
 * another holder's.
 */
export const strategy: Strategy = {
  plainFinalizers: true,
  validate: validateLease,
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
};

function validateLease(lease: JsonObject): FieldError[] {
  const spec = objectAt(lease, 'spec');
  const duration = numberAt(spec, 'leaseDurationSeconds');
  return [
    ...(duration !== undefined && duration <= 0
      ? [invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0')]
      : []),
    ...checkCounts('spec', spec, ['leaseTransitions']),
  ];
}
