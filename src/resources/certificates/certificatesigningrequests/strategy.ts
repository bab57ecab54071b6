import type { CertificateSigningRequest } from '../../../gen/stored/certificates-v1.ts';
import { now } from '../../../meta/time.ts';
import { validatePathSegment } from '../../../meta/validate-name.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { Strategy, StrategyContext, SubresourceStrategy } from '../../../registry/definition/strategy.ts';
import { reviewedUser } from '../../authentication/selfsubjectreviews/self-subject-review.ts';
import { keepDecisions, stampConditions } from './request-conditions.ts';
import { validateApproval, validateNewRequest, validateSigning } from './validate.ts';

/** The `approval` sub-resource (spec 4.12). It changes only conditions. */
const approval: SubresourceStrategy<CertificateSigningRequest> = {
  prepareForUpdate: (request, old) => {
    request.spec = structuredClone(old.spec);
    const { certificate } = old.status;
    if (certificate === undefined) delete request.status.certificate;
    else request.status.certificate = certificate;
    stampConditions(request, old, now());
  },
  validateUpdate: validateApproval,
};

/** The `status` sub-resource (spec 4.12), through which signers set the certificate. */
const status: SubresourceStrategy<CertificateSigningRequest> = {
  prepareForUpdate: (request, old) => {
    request.spec = structuredClone(old.spec);
    keepDecisions(request, old);
    stampConditions(request, old, now());
  },
  validateUpdate: validateSigning,
};

/**
 * The fields that a write cannot set, by sub-resource. The writer does not own them, even in a new
 * spec.
 */
const resets = {
  '': [['f:spec'], ['f:status']],
  status: [['f:spec'], ['f:status', 'f:conditions']],
  approval: [['f:spec'], ['f:status', 'f:certificate']],
};

/** The strategy of certificate signing requests (spec 2.5, 4.12). The spec is immutable. */
export const strategy: Strategy<CertificateSigningRequest> = {
  validateName: validatePathSegment,
  // The usages of a TLS key. The default of the signer is in the conversion from v1beta1.
  default: ({ spec }, { version }) => {
    if (version === 'v1beta1') spec.usages ??= ['digital signature', 'key encipherment'];
  },
  prepareForCreate: prepareRequest,
  prepareForUpdate: (request, old) => {
    request.spec = structuredClone(old.spec);
    request.status = structuredClone(old.status);
  },
  validateCreate: validateNewRequest,
  generation: false,
  selectableFields: ['spec.signerName'],
  fieldsOf: ({ spec }) => ({ 'spec.signerName': spec.signerName }),
  resetFields: ({ release }) => (isSince(release, '1.22') ? resets : {}),
  subresources: { approval, status },
};

/**
 * Sets the fields of the requesting user from the authenticated user, whatever the client wrote.
 * Approvers trust them. Mutates.
 */
function prepareRequest(request: CertificateSigningRequest, { user }: StrategyContext): void {
  for (const name of ['username', 'uid', 'groups', 'extra'] as const) delete request.spec[name];
  Object.assign(request.spec, reviewedUser(user));
  request.status = {};
}
