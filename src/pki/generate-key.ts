import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { PkiError } from './pki-error.ts';

const generate = promisify(generateKeyPair);

/** A new EC P-256 private key. */
export async function generateKey(): Promise<KeyObject> {
  const { privateKey } = await generate('ec', { namedCurve: 'P-256' });
  return privateKey;
}

/** The PKCS#8 PEM of a private key: a secret, to be written with mode 0600. */
export function encodeKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Reads a private key from PEM. Throws PkiError `InvalidPem` without repeating the input. */
export function decodeKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new PkiError('InvalidPem', 'not a private key in PEM');
  }
}
