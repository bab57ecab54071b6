import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { loadCertificateIssuer } from './certificate-issuer.ts';
import { type AuthorityFiles, ensureAuthority } from './ensure-authority.ts';
import { encodeKey } from './generate-key.ts';
import { ensureKeyFile } from './key-files.ts';
import { readIfThere, replaceFile } from '../files/replace-file.ts';

const dayMs = 24 * 3600_000;
/** A certificate is renewed this long before its end. */
const renewalMs = 30 * dayMs;

/** Key, certificate and CA of a TLS server, with their files. */
export interface ServingCertificates {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly caPem: string;
  readonly certPem: string;
  readonly keyPem: string;
}

/**
 * Returns the serving certificate in a directory: `ca.crt`, `ca.key`, `apiserver.crt`,
 * `apiserver.key`. Missing files are created. A certificate is replaced if it expires soon, is not
 * signed by the CA, or lacks one of `names` (IP addresses and DNS names).
 */
export async function ensureServingCertificates(
  directory: string,
  names: readonly string[],
): Promise<ServingCertificates> {
  const authority = await ensureAuthority(directory, 'ca', 'apiserver-ca');
  const certFile = join(directory, 'apiserver.crt');
  const keyFile = join(directory, 'apiserver.key');
  const key = await ensureKeyFile(keyFile);
  const existing = await readIfThere(certFile);
  const usable = existing !== undefined && isUsable(existing, key, authority, names);
  const certPem = usable ? existing : await issue(authority, key, names);
  if (!usable) await replaceFile(certFile, certPem, 0o644);
  const files = { caFile: authority.certFile, certFile, keyFile };
  return { ...files, caPem: authority.certificatePem, certPem, keyPem: encodeKey(key) };
}

/** Reports whether a serving certificate must be renewed: a month before its end. */
export function nearsEnd(certificate: X509Certificate | string): boolean {
  const { validTo } = typeof certificate === 'string' ? new X509Certificate(certificate) : certificate;
  return Date.parse(validTo) - Date.now() <= renewalMs;
}

/** Reports whether a serving certificate is valid for all names: IP addresses and DNS names. */
export function hasNames(certificate: X509Certificate | string, names: readonly string[]): boolean {
  const read = typeof certificate === 'string' ? new X509Certificate(certificate) : certificate;
  return names.every((name) => (isIP(name) ? read.checkIP(name) : read.checkHost(name)) !== undefined);
}

async function issue(authority: AuthorityFiles, key: KeyObject, names: readonly string[]): Promise<string> {
  const { issueServingCertificate } = await loadCertificateIssuer();
  return issueServingCertificate(authority, key, names);
}

function isUsable(pem: string, key: KeyObject, authority: AuthorityFiles, names: readonly string[]): boolean {
  try {
    const certificate = new X509Certificate(pem);
    return (
      certificate.publicKey.equals(createPublicKey(key)) &&
      certificate.verify(createPublicKey(authority.key)) &&
      !nearsEnd(certificate) &&
      hasNames(certificate, names)
    );
  } catch {
    // Not a certificate: it is replaced.
    return false;
  }
}
