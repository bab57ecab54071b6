import type { CertificateSigningRequest, CertificateSigningRequestSpec } from '../../../gen/stored/certificates-v1.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, forbidden, invalid, notSupported } from '../../../status/field-error.ts';
import { certificateError, requestError } from './certificate.ts';
import { checkConditions, checkDecisionsKept } from './conditions.ts';
import { checkSignerName } from './signer-name.ts';

/**
 * All errors of a new request (spec 2.5, section 7). The spec is immutable, so updates do not check
 * it.
 */
export function validateNewRequest(request: CertificateSigningRequest, context: StrategyContext): FieldError[] {
  const spec = new FieldCursor(request).at('spec');
  const fault = requestError(spec.value.request);
  if (fault !== '') spec.at('request').reportInvalid(fault);
  checkUsages(spec, context);
  checkSigner(spec.at('signerName'), context);
  return spec.errors;
}

/** All key usages and extended key usages (spec 2.5), in the order of messages. */
const keyUsages: readonly string[] = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

/** Checks the usages. v1beta1 also accepts repeated and unknown usages, and has a default. */
function checkUsages(spec: FieldCursor<CertificateSigningRequestSpec>, { version }: StrategyContext): void {
  if (!spec.value.usages?.length) spec.at('usages').reportRequired('usages must be provided');
  if (version === 'v1beta1') return;
  const seen = new Set<string>();
  for (const usage of spec.each('usages')) {
    if (!keyUsages.includes(usage.value)) usage.report(notSupported(usage.path, usage.value, keyUsages));
    if (seen.has(usage.value)) usage.reportDuplicate();
    seen.add(usage.value);
  }
}

function checkSigner(signer: FieldCursor<string>, { identifiers, version }: StrategyContext): void {
  if (version === 'v1' && signer.value === `${identifiers.labelDomain}/legacy-unknown`) {
    signer.reportInvalid('the legacy signerName is not allowed via this API version');
  } else signer.report(...checkSignerName(signer.path, signer.value));
}

/** The errors of an approval: it may change conditions only. */
export function validateApproval(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  { version }: StrategyContext,
): FieldError[] {
  return [...checkConditions(request, old, version), ...checkDecisionsKept(request, old, true)];
}

/**
 * The errors of a signing. The certificate may be set once, and conditions may not approve or deny.
 */
export function validateSigning(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  { version }: StrategyContext,
): FieldError[] {
  return [
    ...checkConditions(request, old, version),
    ...checkDecisionsKept(request, old, false),
    // v1beta1 accepts any content, and allows it to change.
    ...(version === 'v1beta1' ? [] : certificateErrors(request.status.certificate, old.status.certificate)),
  ];
}

function certificateErrors(certificate = '', old = ''): FieldError[] {
  if (certificate === old) return [];
  const fault = certificate && certificateError(Buffer.from(certificate, 'base64').toString('latin1'));
  const kept = 'updates may not modify existing certificate content';
  return [
    ...(fault ? [invalid('status.certificate', '<certificate data>', fault)] : []),
    ...(old ? [forbidden('status.certificate', kept)] : []),
  ];
}
