import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { loadCertificateIssuer } from './certificate-issuer.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import { ensureKeyFile } from './key-files.ts';
import { readIfThere, replaceFile } from '../files/replace-file.ts';

const dayMs = 24 * 3600_000;
const lifetimeMs = 3650 * dayMs;
/**
 * A CA is renewed this long before its end, so that the validity of leaf certificates is not cut
 * short.
 */
const renewalMs = 400 * dayMs;

/** A CA with the paths of its files. */
export interface AuthorityFiles extends CertificateAuthority {
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * Returns the CA in `<directory>/<name>.crt` and `.key`, created if missing. The key takes
 * precedence: concurrent processes agree on one key, and a certificate that is missing, expiring or
 * for another key is replaced by a new one for it.
 */
export async function ensureAuthority(directory: string, name: string, commonName: string): Promise<AuthorityFiles> {
  const certFile = join(directory, `${name}.crt`);
  const keyFile = join(directory, `${name}.key`);
  const key = await ensureKeyFile(keyFile);
  const existing = await readIfThere(certFile);
  if (existing !== undefined && isUsable(existing, key)) return { certificatePem: existing, key, certFile, keyFile };
  const { issueAuthorityCertificate } = await loadCertificateIssuer();
  const certificatePem = await issueAuthorityCertificate(key, commonName, new Date(Date.now() + lifetimeMs));
  await replaceFile(certFile, certificatePem, 0o644);
  return { certificatePem, key, certFile, keyFile };
}

function isUsable(pem: string, key: KeyObject): boolean {
  try {
    const certificate = new X509Certificate(pem);
    return (
      certificate.ca &&
      certificate.publicKey.equals(createPublicKey(key)) &&
      Date.parse(certificate.validTo) - Date.now() > renewalMs
    );
  } catch {
    // Not a certificate: it is replaced.
    return false;
  }
}
