import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { PkiError } from './pki-error.ts';

const generate = promisify(generateKeyPair);

/** Generates an EC P-256 private key. */
export async function generateKey(): Promise<KeyObject> {
  const { privateKey } = await generate('ec', { namedCurve: 'P-256' });
  return privateKey;
}

/** Encodes a private key as PKCS#8 PEM. It is a secret: write it with mode 0600. */
export function encodeKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Reads a private key from PEM. Throws PkiError `InvalidPem`, without the input in the message. */
export function decodeKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new PkiError('InvalidPem', 'not a private key in PEM');
  }
}
