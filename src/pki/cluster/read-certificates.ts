import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere } from '../../files/replace-file.ts';
import { decodeKey } from '../generate-key.ts';
import { decodePem } from '../pem.ts';

/** The private key beside a certificate. */
export interface StoredKey {
  readonly path: string;
  /** The private key; undefined for any other file. */
  readonly key: KeyObject | undefined;
  readonly mode: number;
}

/** A file of certificates: one with its issuers, or the CAs that clients trust. */
export interface StoredCertificates {
  /** The path below the folder, without `.crt`. */
  readonly name: string;
  readonly path: string;
  /** Empty for a file that is no certificate. */
  readonly certificates: readonly X509Certificate[];
  readonly key: StoredKey | undefined;
}

/** A public key, and the private key of its name. */
export interface StoredPublicKey {
  readonly name: string;
  readonly path: string;
  readonly publicKey: KeyObject | undefined;
  readonly key: StoredKey | undefined;
}

/** The certificates and keys below a folder, sorted by name. */
export interface CertificateFolder {
  readonly certificates: readonly StoredCertificates[];
  readonly publicKeys: readonly StoredPublicKey[];
}

/** Reads the files `.crt`, `.key` and `.pub` below a folder, including files of other programs. */
export async function readCertificates(directory: string): Promise<CertificateFolder> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  const certificatePaths = paths.filter((path) => path.endsWith('.crt'));
  const publicPaths = paths.filter((path) => path.endsWith('.pub'));
  const nameOf = (path: string): string => path.slice(join(directory, '/').length, -'.crt'.length);
  const certificates = certificatePaths.map(async (path) => ({
    name: nameOf(path),
    path,
    certificates: certificatesOf(await readFile(path, 'utf8')),
    key: await readKey(path),
  }));
  const publicKeys = publicPaths.map(async (path) => ({
    name: nameOf(path),
    path,
    publicKey: publicKeyOf(await readFile(path, 'utf8')),
    key: await readKey(path),
  }));
  return { certificates: await Promise.all(certificates), publicKeys: await Promise.all(publicKeys) };
}

function certificatesOf(text: string): readonly X509Certificate[] {
  try {
    return decodePem(text)
      .filter(({ label }) => label === 'CERTIFICATE')
      .map(({ der }) => new X509Certificate(der));
  } catch {
    return [];
  }
}

function publicKeyOf(text: string): KeyObject | undefined {
  try {
    return createPublicKey(text);
  } catch {
    return undefined;
  }
}

async function readKey(beside: string): Promise<StoredKey | undefined> {
  const path = `${beside.slice(0, -'.crt'.length)}.key`;
  const pem = await readIfThere(path);
  if (pem === undefined) return undefined;
  const { mode } = await stat(path);
  return { path, key: keyOf(pem), mode: mode & 0o777 };
}

function keyOf(pem: string): KeyObject | undefined {
  try {
    return decodeKey(pem);
  } catch {
    return undefined;
  }
}

/** Reports whether a CA has signed a certificate. The names are compared first: that is cheap. */
export function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/** Reports whether a stored key belongs to a certificate. */
export function hasKey({ publicKey }: X509Certificate, stored: StoredKey | undefined): boolean {
  return stored?.key !== undefined && publicKey.equals(createPublicKey(stored.key));
}
