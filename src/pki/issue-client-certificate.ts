import { createPublicKey } from 'node:crypto';
import { loadCertificateIssuer } from './certificate-issuer.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import { encodeKey, generateKey } from './generate-key.ts';

/** A user's certificate and key, both as PEM. */
interface ClientCertificate {
  readonly certPem: string;
  readonly keyPem: string;
}

/**
 * Creates a key and issues a certificate for a user (common name) and its groups (organizations).
 */
export async function issueClientCertificate(
  authority: CertificateAuthority,
  user: { readonly username: string; readonly groups: readonly string[] },
  lifetimeMs: number,
): Promise<ClientCertificate> {
  const { issueCertificate } = await loadCertificateIssuer();
  const key = await generateKey();
  const certPem = await issueCertificate(authority, {
    commonName: user.username,
    organizations: user.groups,
    publicKey: createPublicKey(key),
    keyUsages: ['digitalSignature', 'keyEncipherment'],
    extendedKeyUsages: ['clientAuth'],
    notAfter: new Date(Date.now() + lifetimeMs),
  });
  return { certPem, keyPem: encodeKey(key) };
}
