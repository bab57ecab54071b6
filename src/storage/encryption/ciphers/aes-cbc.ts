import { createCipheriv, createDecipheriv } from 'node:crypto';
import { fillRandom } from './random-bytes.ts';
import { DecryptionError, type Transformer, type TransformerName } from './transformer.ts';

const blockBytes = 16;

/**
 * AES-CBC with PKCS #7 padding, in the format of kube-apiserver's provider `aescbc`. Values are not
 * authenticated: changes and moves are not always detected.
 */
export function aesCbc(name: TransformerName, secret: Uint8Array): Transformer {
  const { prefix } = name;
  return {
    ...name,
    encrypt: (value) => sealCbc(prefix, secret, value),
    decrypt: (stored) => ({ value: openCbc(stored.subarray(prefix.length), secret), stale: false }),
  };
}

function sealCbc(front: Uint8Array, secret: Uint8Array, value: Uint8Array): Buffer {
  const vector = Buffer.allocUnsafe(blockBytes);
  fillRandom(vector, 0, blockBytes);
  const cipher = createCipheriv(cipherOf(secret), secret, vector);
  return Buffer.concat([front, vector, cipher.update(value), cipher.final()]);
}

/** Decrypts an initialization vector followed by the encrypted value. Throws DecryptionError. */
export function openCbc(sealed: Buffer, secret: Uint8Array): Buffer {
  if (sealed.length < 2 * blockBytes || sealed.length % blockBytes !== 0) {
    throw new DecryptionError('its length is not a multiple of the size of a block');
  }
  const cipher = createDecipheriv(cipherOf(secret), secret, sealed.subarray(0, blockBytes));
  try {
    return Buffer.concat([cipher.update(sealed.subarray(blockBytes)), cipher.final()]);
  } catch {
    throw new DecryptionError('it was encrypted with another key, or changed since');
  }
}

function cipherOf(secret: Uint8Array): string {
  return `aes-${secret.length * 8}-cbc`;
}
