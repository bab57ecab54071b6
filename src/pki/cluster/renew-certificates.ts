import { createPublicKey, type KeyObject, type X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { replaceFile } from '../../files/replace-file.ts';
import { encodeKey, generateKey } from '../generate-key.ts';
import { backdateMs } from '../issue-certificate.ts';
import { encodePem } from '../pem.ts';
import { PkiError } from '../pki-error.ts';
import { renewCertificate } from '../renew-certificate.ts';
import {
  type CertificateFolder,
  hasKey,
  isIssuedBy,
  readCertificates,
  type StoredCertificates,
  type StoredKey,
} from './read-certificates.ts';

/** Options of `renewCertificates`. */
interface RenewOptions {
  readonly directory: string;
  /** The names of certificates; empty: all except CAs. */
  readonly names: readonly string[];
  /** Renews only those that end within this time; undefined renews all. */
  readonly withinMs: number | undefined;
  /** Makes new keys; else they are kept. */
  readonly newKeys: boolean;
  /** The lifetime; undefined: the same as before. */
  readonly lifetimeMs: number | undefined;
  /** Called for each file that is replaced, and each certificate that needs no renewal yet. */
  readonly onFile: (path: string, outcome: 'replaced' | 'kept') => void;
}

/** A renewal whose conditions hold. */
interface Renewal {
  readonly file: StoredCertificates;
  readonly certificate: X509Certificate;
  /** The issuer; undefined for a self-signed CA. */
  readonly issuer: Issuer | undefined;
  readonly key: StoredKey & { readonly key: KeyObject };
  readonly notAfter: Date;
}

/**
 * Issues certificates again with their subjects, names and usages: first the CAs, which then
 * issue the others. All are examined before the first file is written. A new key is written before
 * its certificate: until that follows, a server that reads both keeps what it has.
 *
 * A CA with a new key keeps its older certificates in its file as long as certificates of the
 * folder need them, so that both are trusted meanwhile. Throws PkiError.
 */
export async function renewCertificates(options: RenewOptions): Promise<void> {
  const folder = await readCertificates(options.directory);
  const chosen = chooseFiles(folder, options);
  const due = chosen.filter((file) => isDue(file, options));
  for (const file of chosen) if (!due.includes(file)) options.onFile(file.path, 'kept');
  const plans = due.map((file) => planRenewal(file, folder, options));
  const roots = plans.filter(({ issuer }) => !issuer);
  const renewed = new Set(roots.map(({ file }) => file.name));
  for (const plan of plans) requireTime(plan, renewed);
  for (const root of roots) await renew(root, folder, options);
  const afterwards = roots.length > 0 ? await readCertificates(options.directory) : folder;
  for (const { file, issuer } of plans)
    if (issuer) await renew(planRenewal(file, afterwards, options), afterwards, options);
}

async function renew(renewal: Renewal, folder: CertificateFolder, { newKeys, onFile }: RenewOptions): Promise<void> {
  const { certificate, notAfter, file, issuer } = renewal;
  const key = newKeys ? await generateKey() : renewal.key.key;
  const pem = await renewCertificate(issuer ? signerOf(issuer) : { key }, {
    certificate,
    publicKey: createPublicKey(key),
    notAfter,
  });
  if (newKeys) {
    await replaceFile(renewal.key.path, encodeKey(key), 0o600);
    onFile(renewal.key.path, 'replaced');
  }
  const others = remaining(renewal, key, folder).map(({ raw }) => encodePem('CERTIFICATE', raw));
  await replaceFile(file.path, pem + others.join(''), 0o644);
  onFile(file.path, 'replaced');
}

function chooseFiles(
  { certificates }: CertificateFolder,
  { names, directory }: RenewOptions,
): readonly StoredCertificates[] {
  if (names.length === 0) return certificates.filter((file) => file.certificates[0]?.ca !== true && file.key);
  return [...new Set(names)].map((name) => {
    const found = certificates.find((file) => file.name === name);
    if (!found) throw new PkiError('InvalidCertificate', `${join(directory, `${name}.crt`)} does not exist`);
    return found;
  });
}

function isDue({ certificates: [certificate] }: StoredCertificates, { withinMs }: RenewOptions): boolean {
  if (withinMs === undefined || !certificate) return true;
  return Date.parse(certificate.validTo) - Date.now() <= withinMs;
}

/** Throws for a certificate that cannot be renewed. The key beside it takes precedence. */
function planRenewal(file: StoredCertificates, folder: CertificateFolder, { lifetimeMs }: RenewOptions): Renewal {
  const [certificate] = file.certificates;
  const fail = (problem: string): PkiError => new PkiError('InvalidCertificate', `${file.path} ${problem}`);
  if (!certificate) throw fail('is no certificate in PEM');
  const key = file.key?.key && { ...file.key, key: file.key.key };
  if (!key) throw fail('has no private key beside it');
  const isRoot = isIssuedBy(certificate, certificate);
  const issuer = isRoot ? undefined : issuerOf(certificate, folder);
  if (!isRoot && !issuer) throw fail('is not signed by a CA of the folder that has its key');
  const before = Date.parse(certificate.validTo) - Date.parse(certificate.validFrom) - backdateMs;
  return { file, certificate, key, issuer, notAfter: new Date(Date.now() + (lifetimeMs ?? before)) };
}

/** A certificate ends with its CA at the latest. */
function requireTime({ file, certificate, issuer }: Renewal, renewed: ReadonlySet<string>): void {
  if (!issuer || renewed.has(issuer.name)) return;
  if (Date.parse(issuer.certificate.validTo) > Date.parse(certificate.validTo)) return;
  throw new PkiError('InvalidCertificate', `${file.path} ends with its CA: renew ${issuer.name} first`);
}

interface Issuer {
  readonly name: string;
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
}

/**
 * The CA that issues again what one of the certificates in its file has issued: the first one, of
 * its present key.
 */
function issuerOf(certificate: X509Certificate, { certificates }: CertificateFolder): Issuer | undefined {
  for (const { name, key, certificates: all } of certificates) {
    const [first] = all;
    if (!first || !key?.key || !hasKey(first, key)) continue;
    if (all.some((authority) => isIssuedBy(certificate, authority))) return { name, certificate: first, key: key.key };
  }
  return undefined;
}

function signerOf({ certificate, key }: Issuer) {
  return { certificatePem: encodePem('CERTIFICATE', certificate.raw), key };
}

/** The further certificates of a file: the issuers of a leaf, or the CAs that are still needed. */
function remaining(
  { file, certificate, issuer }: Renewal,
  key: KeyObject,
  folder: CertificateFolder,
): readonly X509Certificate[] {
  const [, ...others] = file.certificates;
  if (issuer) return others;
  const publicKey = createPublicKey(key);
  const older = certificate.publicKey.equals(publicKey) ? others : [certificate, ...others];
  const leaves = folder.certificates.flatMap(({ certificates }) => certificates.filter(({ ca }) => !ca));
  return older.filter((old) => !old.publicKey.equals(publicKey) && leaves.some((leaf) => isIssuedBy(leaf, old)));
}
