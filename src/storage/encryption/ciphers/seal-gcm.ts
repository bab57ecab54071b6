import { type CipherGCMTypes, createCipheriv, createDecipheriv } from 'node:crypto';
import { DecryptionError } from './transformer.ts';
import { fillRandom } from './random-bytes.ts';

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a value with AES-GCM. Returns `front`, a random nonce, the encrypted value and the tag.
 * The store's key of the value is authenticated too. `secret` has 16, 24 or 32 bytes.
 */
export function sealGcm(front: Uint8Array, secret: Uint8Array, value: Uint8Array, key: string): Buffer {
  const sealedAt = front.length + nonceBytes;
  const sealed = Buffer.allocUnsafe(sealedAt + value.length + tagBytes);
  sealed.set(front);
  fillRandom(sealed, front.length, sealedAt);
  const cipher = createCipheriv(cipherOf(secret), secret, sealed.subarray(front.length, sealedAt));
  cipher.setAAD(Buffer.from(key));
  sealed.set(cipher.update(value), sealedAt);
  cipher.final();
  sealed.set(cipher.getAuthTag(), sealedAt + value.length);
  return sealed;
}

/** Decrypts the output of `sealGcm` after `front`. Throws DecryptionError if it was changed. */
export function openGcm(sealed: Buffer, secret: Uint8Array, key: string): Buffer {
  const end = sealed.length - tagBytes;
  if (end < nonceBytes) throw new DecryptionError('it is too short');
  const cipher = createDecipheriv(cipherOf(secret), secret, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  cipher.setAAD(Buffer.from(key));
  cipher.setAuthTag(sealed.subarray(end));
  const value = cipher.update(sealed.subarray(nonceBytes, end));
  try {
    cipher.final();
  } catch {
    throw new DecryptionError('it was encrypted with another key, for another object, or changed since');
  }
  return value;
}

/** The ciphers by key length. */
const ciphers: Readonly<Record<number, CipherGCMTypes>> = { 16: 'aes-128-gcm', 24: 'aes-192-gcm', 32: 'aes-256-gcm' };

function cipherOf({ length }: Uint8Array): CipherGCMTypes {
  const cipher = ciphers[length];
  if (!cipher) throw new RangeError(`AES has no keys of ${length} bytes`);
  return cipher;
}
