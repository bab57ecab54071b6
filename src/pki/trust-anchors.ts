import { X509Certificate } from 'node:crypto';
import { decodePem, encodePem } from './pem.ts';

/**
 * The trust settings of OpenSSL's `X509_CERT_AUX`: this certificate is trusted for `clientAuth`.
 * SEQUENCE { SEQUENCE { OBJECT 1.3.6.1.5.5.7.3.2 } }
 */
const trustedForClients = Buffer.from('300c300a06082b06010505070302', 'hex');

/**
 * The certificates of a bundle that may issue certificates of clients. An intermediate is one even
 * if its root is missing, as for kube-apiserver.
 */
export function trustAnchors(pem: string): readonly X509Certificate[] {
  return certificatesIn(pem).filter((certificate) => isRoot(certificate) || certificate.ca);
}

/**
 * The certificates of a bundle as PEM for the TLS server. For OpenSSL a chain ends at a root, or at
 * a certificate that is marked as trusted, so intermediates are. (Node's `allowPartialTrustChain`
 * is no substitute: TLS servers ignore it.)
 */
export function markTrustAnchors(pem: string): string {
  return certificatesIn(pem).map(encodeForTls).join('');
}

function encodeForTls(certificate: X509Certificate): string {
  const { raw, ca } = certificate;
  return isRoot(certificate) || !ca
    ? encodePem('CERTIFICATE', raw)
    : encodePem('TRUSTED CERTIFICATE', Buffer.concat([raw, trustedForClients]));
}

function certificatesIn(pem: string): readonly X509Certificate[] {
  return decodePem(pem)
    .filter(({ label }) => label === 'CERTIFICATE')
    .map(({ label, der }) => new X509Certificate(encodePem(label, der)));
}

function isRoot(certificate: X509Certificate): boolean {
  return certificate.checkIssued(certificate);
}
