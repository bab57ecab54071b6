import { PkiError } from '../../../pki/pki-error.ts';

/**
 * The error of `spec.request`, or '' if it is valid. It must be one PEM block with a PKCS#10
 * request (RFC 2986), signed by its own key of a supported kind. The parser is imported at the
 * first request, because it takes a tenth of the memory of an idle server.
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
