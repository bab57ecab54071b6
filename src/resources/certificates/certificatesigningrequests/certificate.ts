import { X509Certificate } from 'node:crypto';
import { parseEncodedRequest } from '../../../pki/parse-certificate-request.ts';
import { decodePem } from '../../../pki/pem.ts';
import { PkiError } from '../../../pki/pki-error.ts';

/**
 * The error of `spec.request`, base64, or '' if it is valid: its first PEM block must be a PKCS#10
 * request (RFC 2986), signed by its own key of a supported kind.
 */
export function requestError(base64: string | null): string {
  return faultOf(() => {
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
export function certificateError(pem: string): string {
  if (pem.length > certificateLimit) return `certificate is larger than ${certificateLimit} bytes`;
  return faultOf(() => {
    const blocks = decodePem(pem);
    if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block';
    const stray = blocks.find(({ label }) => label !== 'CERTIFICATE');
    if (stray) return `only CERTIFICATE PEM blocks are allowed, found "${stray.label}"`;
    return blocks.every(({ der }) => isCertificate(der)) ? '' : 'PEM block is not a valid X.509 certificate';
  });
}

function faultOf(check: () => string): string {
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
