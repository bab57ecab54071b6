import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { createFile } from '../../files/create-file.ts';
import { readIfThere, replaceFile } from '../../files/replace-file.ts';
import type { CertificateAuthority } from '../certificate-authority.ts';
import { certificateSubject } from '../certificate-subject.ts';
import { hasNames } from '../ensure-serving-certificates.ts';
import { decodeKey, encodeKey, generateKey } from '../generate-key.ts';
import { issueAuthorityCertificate, issueCertificate } from '../issue-certificate.ts';
import { ensureKeyFile } from '../key-files.ts';
import { PkiError } from '../pki-error.ts';
import { accountKeyName, type AuthorityPlan, type CertificatePlan } from './plan-certificates.ts';

/** Options of `createCertificates`. */
interface CreateOptions {
  readonly directory: string;
  readonly authorities: readonly AuthorityPlan[];
  readonly certificates: readonly CertificatePlan[];
  /** Also makes the key pair of service accounts. */
  readonly accountKey: boolean;
  /** Names of CAs, certificates and keys whose files are made again. */
  readonly overwrite: ReadonlySet<string>;
  readonly authorityLifetimeMs: number;
  readonly lifetimeMs: number;
  /** Called for each file, in the order in which they are written. */
  readonly onFile: (path: string, outcome: 'created' | 'replaced' | 'kept') => void;
}

/**
 * Makes the keys and certificates of a plan. What exists is kept, and must be what the plan says.
 * All files are examined before the first one is written. Throws PkiError.
 */
export async function createCertificates(options: CreateOptions): Promise<void> {
  const authorities = new Map<string, CertificateAuthority | undefined>();
  for (const { name } of options.authorities) authorities.set(name, await readAuthority(options, name));
  for (const plan of options.certificates) await examine(options, plan, authorities.get(plan.authority));
  if (options.accountKey) await examineAccountKey(options);
  for (const plan of options.authorities) {
    const existing = authorities.get(plan.name);
    authorities.set(plan.name, existing ?? (await createAuthority(options, plan)));
    if (existing) options.onFile(pathOf(options, plan.name, 'crt'), 'kept');
  }
  for (const plan of options.certificates) {
    const authority = authorities.get(plan.authority);
    if (authority) await createOne(options, plan, authority);
  }
  if (options.accountKey) await createAccountKey(options);
}

/** A file that is to be made again is replaced, else an existing one is kept. */
async function write(
  { onFile }: CreateOptions,
  path: string,
  content: string,
  { mode, again }: { readonly mode: number; readonly again: boolean },
): Promise<void> {
  if (again) {
    const outcome = (await readIfThere(path)) === undefined ? 'created' : 'replaced';
    await replaceFile(path, content, mode);
    onFile(path, outcome);
  } else onFile(path, (await createFile(path, content, mode)) ? 'created' : 'kept');
}

function pathOf({ directory }: CreateOptions, name: string, end: 'crt' | 'key' | 'pub'): string {
  return join(directory, `${name}.${end}`);
}

/** The CA in the files; undefined if it is to be made. */
async function readAuthority(options: CreateOptions, name: string): Promise<CertificateAuthority | undefined> {
  if (options.overwrite.has(name)) return undefined;
  const pair = await readPair(options, name);
  if (!pair) return undefined;
  const certificate = new X509Certificate(pair.certificatePem);
  if (!certificate.ca) throw conflict(options, name, 'is no certificate of a CA');
  return pair;
}

/**
 * The certificate and key of a name; undefined if the certificate does not exist. A key without a
 * certificate is used, since an interrupted run leaves one.
 */
async function readPair(options: CreateOptions, name: string): Promise<CertificateAuthority | undefined> {
  const certificatePem = await readIfThere(pathOf(options, name, 'crt'));
  const keyPem = await readIfThere(pathOf(options, name, 'key'));
  const key = keyPem === undefined ? undefined : readKey(options, name, keyPem);
  if (certificatePem === undefined) return undefined;
  if (!key) throw conflict(options, name, 'exists without its key');
  let publicKey: KeyObject;
  try {
    ({ publicKey } = new X509Certificate(certificatePem));
  } catch {
    throw conflict(options, name, 'is no certificate in PEM');
  }
  if (!publicKey.equals(createPublicKey(key))) throw conflict(options, name, 'is for another key');
  return { certificatePem, key };
}

function readKey(options: CreateOptions, name: string, pem: string): KeyObject {
  try {
    return decodeKey(pem);
  } catch (cause) {
    throw new PkiError('InvalidPem', `${pathOf(options, name, 'key')} is no private key in PEM`, cause);
  }
}

/** Throws if the certificate of a plan exists and differs from the plan. */
async function examine(
  options: CreateOptions,
  plan: CertificatePlan,
  authority: CertificateAuthority | undefined,
): Promise<void> {
  if (options.overwrite.has(plan.name)) return;
  const pair = await readPair(options, plan.name);
  if (!pair) return;
  const certificate = new X509Certificate(pair.certificatePem);
  const { commonName, organizations } = certificateSubject(certificate.raw);
  const isOwn = authority && certificate.verify(createPublicKey(authority.key));
  if (!isOwn) throw conflict(options, plan.name, `is not signed by ${pathOf(options, plan.authority, 'crt')}`);
  if (commonName !== plan.commonName || organizations.join() !== (plan.organizations ?? []).join()) {
    throw conflict(options, plan.name, `is for ${commonName}, not for ${plan.commonName}`);
  }
  const missing = (plan.names ?? []).filter((name) => !hasNames(certificate, [name]));
  if (missing.length > 0) throw conflict(options, plan.name, `lacks the names ${missing.join(', ')}`);
}

function conflict(options: CreateOptions, name: string, problem: string): PkiError {
  return new PkiError('InvalidCertificate', `${pathOf(options, name, 'crt')} ${problem}`);
}

async function createAuthority(
  options: CreateOptions,
  { name, commonName }: AuthorityPlan,
): Promise<CertificateAuthority> {
  const again = options.overwrite.has(name);
  const key = await keyOf(options, name);
  const notAfter = new Date(Date.now() + options.authorityLifetimeMs);
  const certificatePem = await issueAuthorityCertificate(key, commonName, notAfter);
  await write(options, pathOf(options, name, 'crt'), certificatePem, { mode: 0o644, again });
  return { certificatePem, key };
}

async function createOne(
  options: CreateOptions,
  plan: CertificatePlan,
  authority: CertificateAuthority,
): Promise<void> {
  const path = pathOf(options, plan.name, 'crt');
  const again = options.overwrite.has(plan.name);
  if (!again && (await readIfThere(path)) !== undefined) {
    options.onFile(path, 'kept');
    return;
  }
  const key = await keyOf(options, plan.name);
  const pem = await issueCertificate(authority, {
    commonName: plan.commonName,
    ...(plan.organizations ? { organizations: plan.organizations } : {}),
    ...(plan.names ? { names: plan.names } : {}),
    publicKey: createPublicKey(key),
    keyUsages: ['digitalSignature', 'keyEncipherment'],
    extendedKeyUsages: plan.usages,
    notAfter: new Date(Date.now() + options.lifetimeMs),
  });
  await write(options, path, pem, { mode: 0o644, again });
}

async function keyOf(options: CreateOptions, name: string): Promise<KeyObject> {
  const path = pathOf(options, name, 'key');
  if (options.overwrite.has(name)) {
    const key = await generateKey();
    await write(options, path, encodeKey(key), { mode: 0o600, again: true });
    return key;
  }
  const existed = (await readIfThere(path)) !== undefined;
  const key = await ensureKeyFile(path);
  options.onFile(path, existed ? 'kept' : 'created');
  return key;
}

async function createAccountKey(options: CreateOptions): Promise<void> {
  const pem = publicPemOf(await keyOf(options, accountKeyName));
  const again = options.overwrite.has(accountKeyName);
  await write(options, pathOf(options, accountKeyName, 'pub'), pem, { mode: 0o644, again });
}

/** Throws if the public key exists and does not match the private key. */
async function examineAccountKey(options: CreateOptions): Promise<void> {
  if (options.overwrite.has(accountKeyName)) return;
  const [keyPath, path] = [pathOf(options, accountKeyName, 'key'), pathOf(options, accountKeyName, 'pub')];
  const [keyPem, pem] = [await readIfThere(keyPath), await readIfThere(path)];
  if (pem === undefined) return;
  if (keyPem === undefined || publicPemOf(readKey(options, accountKeyName, keyPem)) !== pem) {
    throw new PkiError('InvalidPem', `${path} is not the public key of ${keyPath}`);
  }
}

function publicPemOf(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
}
