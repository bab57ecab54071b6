import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestSpec,
  CertificateSigningRequestStatus,
} from '../../../gen/stored/certificates-v1.ts';
import { builtIn, typedConversion } from '../../built-in.ts';
import { approval, statusSubresource } from '../../subresources.ts';
import { strategy } from './strategy.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { humanDuration } from '../../../meta/human-duration.ts';
import { ageColumn, nameColumn, orNone, textColumn } from '../../columns/column.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { type BuiltInSigner, signerNames } from '../../../pki/built-in-signers.ts';
import { parseEncodedRequest } from '../../../pki/parse-certificate-request.ts';
import { PkiError } from '../../../pki/pki-error.ts';
import { signerRules } from '../../../pki/signer-rules.ts';

type Condition = CertificateSigningRequestCondition;

/** A request in v1beta1, in which the signer may be missing. */
interface BetaRequest {
  readonly spec: Omit<CertificateSigningRequestSpec, 'signerName'> & { readonly signerName?: string };
  readonly status: Omit<CertificateSigningRequestStatus, 'conditions'> & {
    readonly conditions?: readonly (Omit<Condition, 'status'> & { readonly status?: Condition['status'] })[];
  };
}

/**
 * The conversion of certificate signing requests. In v1beta1 a condition without a status is true
 * (spec section 7), and a missing signer is implied by the content of the request.
 */
const requestConversion = typedConversion<BetaRequest, Omit<CertificateSigningRequest, 'metadata'>>({
  toStorage: (request, identifiers) => ({
    ...request,
    spec: withSigner(request.spec, identifiers),
    status: withTrueConditions(request.status),
  }),
  fromStorage: (request) => request,
});

/** Sets a missing signer. In v1 it would be empty, which is invalid. */
function withSigner(spec: BetaRequest['spec'], identifiers: Identifiers): CertificateSigningRequestSpec {
  return { ...spec, signerName: spec.signerName ?? signerNames(identifiers)[impliedSigner(spec)] };
}

/**
 * The node signer whose rules the request satisfies; otherwise `legacy-unknown`, also if it is
 * invalid.
 */
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
    conditions: conditions.map((each) => ({ ...each, status: each.status ?? 'True' })),
  };
}

/** The columns of certificate signing requests. */
const columns: readonly Column<CertificateSigningRequest>[] = [
  nameColumn,
  ageColumn,
  textColumn('SignerName', 'Signer that the request is for.', ({ spec }) => orNone(spec.signerName)),
  textColumn('Requestor', 'User that made the request.', ({ spec }) => spec.username ?? ''),
  {
    ...textColumn('RequestedDuration', 'Lifetime of the certificate that the request asks for.', requestedDuration),
    since: '1.22',
  },
  textColumn('Condition', 'Decision on the request, and whether the certificate was issued.', condition),
];

function requestedDuration({ spec: { expirationSeconds } }: CertificateSigningRequest): string {
  return orNone(expirationSeconds === undefined ? '' : humanDuration(expirationSeconds * 1000));
}

/** `Pending`, `Approved`, `Denied`; followed by `Failed` and `Issued`. */
function condition({ status }: CertificateSigningRequest): string {
  const types = new Set(status.conditions?.map(({ type }) => type));
  return [
    ['Denied', 'Approved'].find((decision) => types.has(decision)) ?? 'Pending',
    ...(types.has('Failed') ? ['Failed'] : []),
    ...(status.certificate ? ['Issued'] : []),
  ].join(',');
}

/** The resource `certificatesigningrequests` of the group `certificates`. */
export const certificateSigningRequests = builtIn<CertificateSigningRequest>({
  group: 'certificates',
  resource: 'certificatesigningrequests',
  kind: 'CertificateSigningRequest',
  versions: {
    v1: { introduced: '1.19' },
    v1beta1: {
      introduced: '1.6',
      deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' },
      conversion: requestConversion,
    },
  },
  shortNames: ['csr'],
  subresources: [approval, statusSubresource],
  columns,
  strategy,
});
