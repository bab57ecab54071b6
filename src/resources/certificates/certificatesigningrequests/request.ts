import { parseEncodedRequest } from '../../../pki/parse-certificate-request.ts';
import { PkiError } from '../../../pki/pki-error.ts';

/**
 * The error of `spec.request`, base64, or '' if it is valid: its first PEM block must be a PKCS#10
 * request (RFC 2986), signed by its own key of a supported kind.
 */
export function requestFault(base64: string): string {
  try {
    parseEncodedRequest(base64);
    return '';
  } catch (error) {
    if (error instanceof PkiError) return error.message;
    throw error;
  }
}
