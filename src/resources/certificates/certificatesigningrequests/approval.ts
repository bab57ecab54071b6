import { now } from '../../../meta/time.ts';
import type { SubresourceStrategy } from '../../../registry/definition/strategy.ts';
import { keepField, makeObjectAt, objectAt } from '../../../meta/read-field.ts';
import { stampConditions } from './conditions.ts';
import { validateApproval } from './validate.ts';

/** The `approval` sub-resource (spec 4.12). It changes only conditions. */
export const approveRequest: SubresourceStrategy = {
  prepareForUpdate: (request, old) => {
    keepField(request, old, 'spec');
    keepField(makeObjectAt(request, 'status'), objectAt(old, 'status'), 'certificate');
    stampConditions(request, old, now());
  },
  validateUpdate: validateApproval,
};
