import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestSpec,
  CertificateSigningRequestStatus,
} from '../../../gen/stored/certificates-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { type BuiltInSigner, signerNames } from '../../../pki/built-in-signers.ts';
import { parseEncodedRequest } from '../../../pki/parse-certificate-request.ts';
import { PkiError } from '../../../pki/pki-error.ts';
import { signerRules } from '../../../pki/signer-rules.ts';
import { typedConversion } from '../../built-in.ts';

type Condition = CertificateSigningRequestCondition;

/** A request in v1beta1, which tells a missing signer from an empty one. */
interface BetaRequest {
  readonly spec: Omit<CertificateSigningRequestSpec, 'signerName'> & { readonly signerName?: string };
  readonly status: Omit<CertificateSigningRequestStatus, 'conditions'> & {
    readonly conditions?: readonly (Omit<Condition, 'status'> & { readonly status?: Condition['status'] })[];
  };
}

/**
 * The conversion of certificate signing requests. In v1beta1 a condition without a status is true
 * (spec section 7), and a request without a signer is for the one that its content implies.
 */
export const requestConversion = typedConversion<BetaRequest, Omit<CertificateSigningRequest, 'metadata'>>({
  toStorage: (request, identifiers) => ({
    ...request,
    spec: withSigner(request.spec, identifiers),
    status: withTrueConditions(request.status),
  }),
  fromStorage: (request) => request,
});

/** v1 cannot tell a missing signer from an empty one, which is refused. */
function withSigner(spec: BetaRequest['spec'], identifiers: Identifiers): CertificateSigningRequestSpec {
  return { ...spec, signerName: spec.signerName ?? signerNames(identifiers)[impliedSigner(spec)] };
}

/** The signer of nodes whose rules a request keeps; else `legacy-unknown`, as for invalid ones. */
function impliedSigner({ request: encoded, usages = [] }: BetaRequest['spec']): BuiltInSigner {
  try {
    const request = parseEncodedRequest(encoded);
    const keepsRules = (signer: BuiltInSigner): boolean => signerRules[signer](request, usages) === undefined;
    return (['node-client', 'node-serving'] as const).find(keepsRules) ?? 'legacy-unknown';
  } catch (error) {
    if (error instanceof PkiError) return 'legacy-unknown';
    throw error;
  }
}

function withTrueConditions({ conditions, ...status }: BetaRequest['status']): CertificateSigningRequestStatus {
  if (!conditions) return status;
  return {
    ...status,
    conditions: conditions.map((condition) => ({ ...condition, status: condition.status ?? 'True' })),
  };
}
