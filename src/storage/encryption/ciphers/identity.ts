import { DecryptionError, type Transformer } from './transformer.ts';

/** Stores values unencrypted. Refuses encrypted values, which begin with `encrypted`. */
export function identity(encrypted: Buffer): Transformer {
  return {
    provider: 'identity',
    prefix: Buffer.alloc(0),
    encrypt: (value) => Buffer.from(value.buffer, value.byteOffset, value.byteLength),
    decrypt(stored) {
      if (hasPrefix(stored, encrypted)) throw new DecryptionError('no configured key has its prefix');
      return { value: stored, stale: false };
    },
  };
}

/** True if bytes begin with a prefix. */
export function hasPrefix(bytes: Buffer, prefix: Buffer): boolean {
  const { length } = prefix;
  if (bytes.length < length) return false;
  // Backwards, because prefixes differ at their ends. A call of `Buffer.compare` would cost more.
  for (let index = length - 1; index >= 0; index--) if (bytes[index] !== prefix[index]) return false;
  return true;
}
