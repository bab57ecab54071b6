import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { Certificate, type Extension } from 'pkijs';
import type { CertificateAuthority } from './certificate-authority.ts';
import {
  authorityKeyIdentifier,
  authorityKeyIdentifierOid,
  subjectKeyIdentifier,
  subjectKeyIdentifierOid,
} from './certificate-extensions.ts';
import { backdateMs } from './issue-certificate.ts';
import { signCertificate } from './sign-certificate.ts';

/** A certificate that is issued again. */
interface Renewal {
  /** The certificate whose subject, names, usages and other extensions are kept. */
  readonly certificate: X509Certificate;
  /** The key of the new certificate. */
  readonly publicKey: KeyObject;
  /** The new certificate ends then, or with its CA. */
  readonly notAfter: Date;
}

/**
 * Issues a certificate again, with another validity and perhaps another key, and returns its PEM.
 * Its caller has checked that the CA issued the certificate. Without a CA the certificate is one
 * itself, and `key` signs it.
 */
export function renewCertificate(
  signer: CertificateAuthority | { readonly key: KeyObject },
  { certificate, publicKey, notAfter }: Renewal,
  now = new Date(),
): Promise<string> {
  const old = parse(certificate.raw);
  const issuer = 'certificatePem' in signer ? parse(new X509Certificate(signer.certificatePem).raw) : undefined;
  const end = Math.min(notAfter.getTime(), issuer?.notAfter.value.getTime() ?? Number.POSITIVE_INFINITY);
  const hasSameKey = certificate.publicKey.equals(publicKey);
  const renewed = (extension: Extension): Extension => {
    // The identifier of a kept key is the one by which other certificates name it.
    if (extension.extnID === subjectKeyIdentifierOid) return hasSameKey ? extension : subjectKeyIdentifier(publicKey);
    if (extension.extnID !== authorityKeyIdentifierOid) return extension;
    if (issuer) return authorityKeyIdentifier(issuer, createPublicKey(signer.key));
    return hasSameKey ? extension : authorityKeyIdentifier(new Certificate(), publicKey);
  };
  return signCertificate(signer.key, {
    subject: old.subject,
    issuer: (issuer ?? old).subject,
    publicKey,
    notBefore: new Date(now.getTime() - backdateMs),
    notAfter: new Date(end),
    extensions: (old.extensions ?? []).map(renewed),
  });
}

function parse(der: Uint8Array): Certificate {
  return Certificate.fromBER(Uint8Array.from(der));
}
