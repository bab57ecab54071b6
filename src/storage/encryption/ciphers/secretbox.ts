import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { fillRandom } from './random-bytes.ts';
import { DecryptionError, type Transformer, type TransformerName } from './transformer.ts';

const nonceBytes = 24;
const tagBytes = 16;

/**
 * NaCl's secretbox (XSalsa20 and Poly1305), in the format of kube-apiserver's provider `secretbox`.
 * `secret` has 32 bytes. The store's key is not authenticated: moved values are not detected.
 */
export function secretbox(name: TransformerName, secret: Uint8Array): Transformer {
  const { prefix } = name;
  return {
    ...name,
    encrypt(value) {
      const nonce = Buffer.allocUnsafe(nonceBytes);
      fillRandom(nonce, 0, nonceBytes);
      return Buffer.concat([prefix, nonce, xsalsa20poly1305(secret, nonce).encrypt(value)]);
    },
    decrypt: (stored) => ({ value: openBox(stored.subarray(prefix.length), secret), stale: false }),
  };
}

function openBox(sealed: Buffer, secret: Uint8Array): Buffer {
  if (sealed.length < nonceBytes + tagBytes) throw new DecryptionError('it is too short');
  try {
    const value = xsalsa20poly1305(secret, sealed.subarray(0, nonceBytes)).decrypt(sealed.subarray(nonceBytes));
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  } catch {
    throw new DecryptionError('it was encrypted with another key, or changed since');
  }
}
