import { openGcm, sealGcm } from './seal-gcm.ts';
import type { Transformer, TransformerName } from './transformer.ts';

/**
 * AES-GCM with a random nonce, in the format of kube-apiserver's provider `aesgcm`. A key should
 * encrypt at most 2^32 values (NIST SP 800-38D).
 */
export function aesGcm(name: TransformerName, secret: Uint8Array): Transformer {
  const { prefix } = name;
  return {
    ...name,
    encrypt: (value, key) => sealGcm(prefix, secret, value, key),
    decrypt: (stored, key) => ({ value: openGcm(stored.subarray(prefix.length), secret, key), stale: false }),
  };
}
