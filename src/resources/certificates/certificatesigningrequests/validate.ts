import type { CertificateSigningRequest, CertificateSigningRequestSpec } from '../../../gen/stored/certificates-v1.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, forbidden, invalid, notSupported } from '../../../status/field-error.ts';
import { checkConditions, checkDecisionsKept } from './request-conditions.ts';
import { checkSignerName } from './signer-name.ts';
import { X509Certificate } from 'node:crypto';
import { parseEncodedRequest } from '../../../pki/parse-certificate-request.ts';
import { decodePem } from '../../../pki/pem.ts';
import { PkiError } from '../../../pki/pki-error.ts';

/**
 * The error of `spec.request`, base64, or '' if it is valid: its first PEM block must be a PKCS#10
 * request (RFC 2986), signed by its own key of a supported kind.
 */
function requestError(base64: string | null): string {
  return problemOf(() => {
    parseEncodedRequest(base64);
    return '';
  });
}

/** Maximum size in bytes, which is enough for any chain. Checked before parsing. */
const certificateLimit = 1024 * 1024;

/**
 * The error of `status.certificate`, or '' if it is valid. It must have one or more PEM blocks
 * `CERTIFICATE` without headers, each a certificate of RFC 5280. Text around the blocks is ignored
 * (spec 2.5, RFC 7468 section 5.2).
 */
function certificateError(pem: string): string {
  if (pem.length > certificateLimit) return `certificate is larger than ${certificateLimit} bytes`;
  return problemOf(() => {
    const blocks = decodePem(pem);
    if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block';
    const stray = blocks.find(({ label }) => label !== 'CERTIFICATE');
    if (stray) return `only CERTIFICATE PEM blocks are allowed, found "${stray.label}"`;
    return blocks.every(({ der }) => isCertificate(der)) ? '' : 'PEM block is not a valid X.509 certificate';
  });
}

function problemOf(check: () => string): string {
  try {
    return check();
  } catch (error) {
    if (error instanceof PkiError) return error.message;
    throw error;
  }
}

function isCertificate(der: Buffer): boolean {
  try {
    return new X509Certificate(der).raw.length === der.length;
  } catch {
    // OpenSSL throws for every malformed input, with codes that depend on its version.
    return false;
  }
}

/**
 * All errors of a new request (spec 2.5, section 7). The spec is immutable, so updates do not check
 * it.
 */
export function validateNewRequest(request: CertificateSigningRequest, context: StrategyContext): FieldError[] {
  const spec = new FieldCursor(request).at('spec');
  const problem = requestError(spec.value.request);
  if (problem !== '') spec.at('request').reportInvalid(problem);
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
  const problem = certificate && certificateError(Buffer.from(certificate, 'base64').toString('latin1'));
  const kept = 'updates may not modify existing certificate content';
  return [
    ...(problem ? [invalid('status.certificate', '<certificate data>', problem)] : []),
    ...(old ? [forbidden('status.certificate', kept)] : []),
  ];
}
