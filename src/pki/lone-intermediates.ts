import { X509Certificate } from 'node:crypto';
import { decodePem, encodePem } from './pem.ts';

/**
 * The subjects of the certificates in a CA bundle that lack an issuer in it. TLS of Node trusts
 * a certificate only up to a self-signed root, so such a certificate verifies nobody.
 */
export function loneIntermediates(pem: string): readonly string[] {
  const certificates = decodePem(pem)
    .filter(({ label }) => label === 'CERTIFICATE')
    .map(({ label, der }) => new X509Certificate(encodePem(label, der)));
  return certificates
    .filter((certificate) => !certificates.some((issuer) => certificate.checkIssued(issuer)))
    .map(({ subject }) => subject.split('\n').join(', '));
}
