import type { MaybePromise } from '../../async/maybe-promise.ts';
import { StorageError } from '../port/storage-error.ts';
import { hasPrefix } from './ciphers/identity.ts';
import { DecryptionError, type PlainValue, type Transformer } from './ciphers/transformer.ts';

/**
 * Decrypts a value with the first transformer that can; the value is stale unless that is the first
 * of all. Throws Unavailable if a key is unavailable, otherwise DecryptionError.
 */
export function decryptValue(
  transformers: readonly Transformer[],
  stored: Buffer,
  key: string,
  tried: { readonly from: number; readonly failure?: unknown } = { from: 0 },
): MaybePromise<PlainValue> {
  let { failure } = tried;
  for (const [index, transformer] of transformers.entries()) {
    if (index < tried.from || !hasPrefix(stored, transformer.prefix)) continue;
    try {
      const plain = transformer.decrypt(stored, key);
      if (!(plain instanceof Promise)) return index === 0 ? plain : { ...plain, stale: true };
      return plain.then(
        (value) => (index === 0 ? value : { ...value, stale: true }),
        (error: unknown) => {
          const next = { from: index + 1, failure: worse(failure, error) };
          return decryptValue(transformers, stored, key, next);
        },
      );
    } catch (error) {
      failure = worse(failure, error);
    }
  }
  throw failure ?? new DecryptionError('no configured key has its prefix');
}

/** Returns the first failure, or a later one that may be temporary. */
function worse(first: unknown, second: unknown): unknown {
  const mayPass = second instanceof StorageError && second.code === 'Unavailable';
  return first === undefined || mayPass ? second : first;
}
