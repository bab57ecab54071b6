import { now } from '../../../meta/time.ts';
import type { SubresourceStrategy } from '../../../registry/strategy.ts';
import { keepField } from '../../../meta/read-field.ts';
import { keepDecisions, stampConditions } from './conditions.ts';
import { validateSigning } from './validate.ts';

/** `certificatesigningrequests/status` (spec 4.12): signers add the certificate. */
export const signRequest: SubresourceStrategy = {
  prepareForUpdate: (request, old) => {
    keepField(request, old, 'spec');
    keepDecisions(request, old);
    stampConditions(request, old, now());
  },
  validateUpdate: validateSigning,
};
