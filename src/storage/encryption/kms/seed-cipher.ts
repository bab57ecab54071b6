import { createHmac } from 'node:crypto';
import { fillRandom } from '../ciphers/random-bytes.ts';
import { openGcm, sealGcm } from '../ciphers/seal-gcm.ts';
import { DecryptionError } from '../ciphers/transformer.ts';

/** The length of a seed, of the random info of a value, and of the derived key, in bytes. */
const keyBytes = 32;

/** Returns a new random seed. */
export function newSeed(): Buffer {
  const seed = Buffer.alloc(keyBytes);
  fillRandom(seed, 0, keyBytes);
  return seed;
}

/**
 * Encrypts a value with its own key, which is derived from the seed and 32 random bytes
 * (HKDF-Expand, RFC 5869, 2.3, with SHA-256). The random bytes come first in the output.
 */
export function sealWithSeed(seed: Buffer, value: Uint8Array, key: string): Buffer {
  const info = newSeed();
  return sealGcm(info, expanded(seed, info), value, key);
}

/** Decrypts the output of `sealWithSeed`. Throws DecryptionError if it was changed or moved. */
export function openWithSeed(seed: Buffer, sealed: Buffer, key: string): Buffer {
  if (sealed.length < keyBytes) throw new DecryptionError('it is too short');
  const info = sealed.subarray(0, keyBytes);
  return openGcm(sealed.subarray(keyBytes), expanded(seed, info), key);
}

/** The first block of HKDF-Expand, which is as long as a key. */
function expanded(seed: Buffer, info: Buffer): Buffer {
  return createHmac('sha256', seed).update(info).update(Buffer.of(1)).digest();
}
