import { parseCertificateRequest } from '../../../pki/parse-certificate-request.ts';
import { PkiError } from '../../../pki/pki-error.ts';

/**
 * What is wrong with `spec.request`, '' where nothing is: it must be one PEM block with a PKCS#10 request (RFC 2986)
 * that is signed by its own key, and a key that a signer may certify.
 */
export function requestFault(pem: string): string {
  try {
    parseCertificateRequest(pem);
    return '';
  } catch (error) {
    if (error instanceof PkiError) return error.message;
    throw error;
  }
}
