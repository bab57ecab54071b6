import { now } from '../../../meta/time.ts';
import type { SubresourceStrategy } from '../../../registry/definition/strategy.ts';
import { keepField } from '../../../meta/read-field.ts';
import { keepDecisions, stampConditions } from './conditions.ts';
import { validateSigning } from './validate.ts';

/** The `status` sub-resource (spec 4.12), through which signers set the certificate. */
export const signRequest: SubresourceStrategy = {
  prepareForUpdate: (request, old) => {
    keepField(request, old, 'spec');
    keepDecisions(request, old);
    stampConditions(request, old, now());
  },
  validateUpdate: validateSigning,
};
