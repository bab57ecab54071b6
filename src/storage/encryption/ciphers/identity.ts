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
  return bytes.length >= length && (length === 0 || bytes.compare(prefix, 0, length, 0, length) === 0);
}
