import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SigningKey, signingKeyOf, type VerificationKey, verificationKeyOf } from '../../authn/jwt/token-key.ts';
import { encodeKey, generateKey } from '../../pki/generate-key.ts';
import { ensureKeyFile } from '../../pki/key-files.ts';
import { decodePem, encodePem } from '../../pki/pem.ts';
import { memoize } from '../../meta/memoize.ts';
import { named } from '../../config/flags/pem-files.ts';
import { Reloaded, type ReloadLog } from '../../listen/reloaded.ts';
import type { ServerOptions } from '../../config/server-options.ts';

/** The keys of service account tokens. */
export interface ServiceAccountKeys {
  readonly signing: SigningKey;
  /** The signing key first, then the keys of the files in order; each key once. */
  readonly verification: readonly VerificationKey[];
}

/** The PEM texts of the keys. */
interface KeyTexts {
  readonly signing: string;
  readonly others: readonly string[];
}

/** The keys with their life: files are read again while the server runs. */
interface ReloadedKeys {
  /** The current keys; the same object until they change. */
  readonly current: () => ServiceAccountKeys;
  /** Starts to watch the files, until `close`. */
  readonly watch: () => void;
  readonly close: () => void;
}

/** Reads or generates the keys. Rejects with an error that names the flag. */
export async function openServiceAccountKeys(options: ServerOptions, log: ReloadLog): Promise<ReloadedKeys> {
  const { certificateReloadMs: intervalMs } = options;
  const read = keyReader(options);
  const texts = await Reloaded.open({ what: 'the keys of service account tokens', read, intervalMs, log });
  const keysOf = memoize(parseKeys);
  return { current: () => keysOf(texts.current), watch: () => texts.watch(), close: () => texts.close() };
}

/** The reader validates the keys, so that an unusable file does not replace usable keys. */
function keyReader(options: ServerOptions): () => Promise<KeyTexts> {
  const { serviceAccountKeyFiles, tlsPrivateKeyFile } = options;
  const signing = signingKeyReader(options);
  const byDefault = tlsPrivateKeyFile === undefined ? [] : [tlsPrivateKeyFile];
  return async () => ({
    signing: await signing(),
    others:
      serviceAccountKeyFiles.length > 0
        ? await Promise.all(serviceAccountKeyFiles.map(readKeyFile))
        : (await Promise.all(byDefault.map(readUsableKey))).flat(),
  });
}

function signingKeyReader({ serviceAccountSigningKeyFile: file, certDir }: ServerOptions): () => Promise<string> {
  if (file !== undefined) {
    return () =>
      named({ flag: '--service-account-signing-key-file', file }, async () => {
        const text = await readFile(file, 'utf8');
        parseSigningKey(text);
        return text;
      });
  }
  if (certDir === undefined) {
    let generated: Promise<string> | undefined;
    return () => (generated ??= generateKey().then(encodeKey));
  }
  const own = join(certDir, 'service-account.key');
  return () => named({ flag: '--cert-dir', file: own }, async () => encodeKey(await ensureKeyFile(own)));
}

function readKeyFile(file: string): Promise<string> {
  return named({ flag: '--service-account-key-file', file }, async () => {
    const text = await readFile(file, 'utf8');
    parseVerificationKeys(text);
    return text;
  });
}

/** The serving key if tokens can be signed with it; it may be of any type. */
async function readUsableKey(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8');
  try {
    parseVerificationKeys(text);
    return [text];
  } catch {
    return [];
  }
}

function parseKeys({ signing: text, others }: KeyTexts): ServiceAccountKeys {
  const signing = parseSigningKey(text);
  const all = [signing, ...others.flatMap(parseVerificationKeys)];
  return { signing, verification: [...new Map(all.map((key) => [key.id, key])).values()] };
}

function parseSigningKey(text: string): SigningKey {
  return signingKeyOf(readBlock('a private key', () => createPrivateKey(text)));
}

/** Reads all keys of a PEM text: private keys, public keys, and the keys of certificates. */
function parseVerificationKeys(text: string): VerificationKey[] {
  // OpenSSL writes the name of the curve before an EC key.
  const blocks = decodePem(text).filter(({ label }) => label !== 'EC PARAMETERS');
  if (blocks.length === 0) throw new Error('contains no PEM block with a key');
  return blocks.map(({ label, der }) =>
    verificationKeyOf(readBlock('a key', () => createPublicKey(encodePem(label, der)))),
  );
}

/** The errors of OpenSSL may quote the text. */
function readBlock<Key>(what: string, read: () => Key): Key {
  try {
    return read();
  } catch {
    throw new Error(`contains ${what} that cannot be read`);
  }
}
