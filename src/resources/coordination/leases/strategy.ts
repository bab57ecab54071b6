import type { Lease } from '../../../gen/stored/coordination-v1.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { checkCounts } from '../../rules/fields/check.ts';

/**
 * The strategy of leases. An update needs a resourceVersion, so that a renewal cannot overwrite
 * another holder's.
 */
export const strategy: Strategy<Lease> = {
  plainFinalizers: true,
  validate: validateLease,
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
};

function validateLease(lease: Lease): readonly FieldError[] {
  const spec = new FieldCursor(lease).at('spec');
  const duration = spec.at('leaseDurationSeconds');
  if (duration.value !== undefined && duration.value <= 0) duration.reportInvalid('must be greater than 0');
  spec.report(...checkCounts('spec', spec.value, ['leaseTransitions']));
  return spec.errors;
}
