import { PkiError } from '../../../pki/pki-error.ts';

/**
 * What is wrong with `spec.request`, '' where nothing is: it must be one PEM block with a PKCS#10 request (RFC 2986)
 * that is signed by its own key, and a key that a signer may certify. What reads it is loaded with the first request: it
 * would be a tenth of the memory of a server that never sees one.
 */
export async function requestFault(pem: string): Promise<string> {
  const { parseCertificateRequest } = await import('../../../pki/parse-certificate-request.ts');
  try {
    parseCertificateRequest(pem);
    return '';
  } catch (error) {
    if (error instanceof PkiError) return error.message;
    throw error;
  }
}
