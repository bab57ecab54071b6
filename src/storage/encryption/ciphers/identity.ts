import { DecryptionError, type Transformer } from './transformer.ts';

/** Values as they are. It refuses encrypted ones, which begin with `encrypted`. */
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

/** True if bytes begin with others. */
export function hasPrefix(bytes: Buffer, prefix: Buffer): boolean {
  const { length } = prefix;
  if (bytes.length < length) return false;
  // Backwards: prefixes differ in their ends. A call of the runtime would cost more.
  for (let index = length - 1; index >= 0; index--) if (bytes[index] !== prefix[index]) return false;
  return true;
}
