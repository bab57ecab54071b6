import { createHmac } from 'node:crypto';
import { fillRandom } from '../ciphers/random-bytes.ts';
import { openGcm, sealGcm } from '../ciphers/seal-gcm.ts';
import { DecryptionError } from '../ciphers/transformer.ts';

/** The length of a seed, of the random bytes of a value, and of the key that both give. */
const keyBytes = 32;

/** Returns random bytes that can be a seed. */
export function newSeed(): Buffer {
  const seed = Buffer.alloc(keyBytes);
  fillRandom(seed, 0, keyBytes);
  return seed;
}

/**
 * Encrypts a value with a key that is used for it alone: the expansion of the seed by 32 random
 * bytes, which come first (RFC 5869, 2.3, with SHA-256).
 */
export function sealWithSeed(seed: Buffer, value: Uint8Array, key: string): Buffer {
  const info = newSeed();
  return sealGcm(info, expanded(seed, info), value, key);
}

/** Decrypts what `sealWithSeed` returned. Throws DecryptionError if it was changed or moved. */
export function openWithSeed(seed: Buffer, sealed: Buffer, key: string): Buffer {
  if (sealed.length < keyBytes) throw new DecryptionError('it is too short');
  const info = sealed.subarray(0, keyBytes);
  return openGcm(sealed.subarray(keyBytes), expanded(seed, info), key);
}

/** The first block of the expansion, which is as long as a key. */
function expanded(seed: Buffer, info: Buffer): Buffer {
  return createHmac('sha256', seed).update(info).update(Buffer.of(1)).digest();
}
