import type { MaybePromise } from '../../../async/maybe-promise.ts';

/** A decrypted value. */
export interface PlainValue {
  readonly value: Buffer;
  /** True if it would be encrypted differently now, so that the next write should rewrite it. */
  readonly stale: boolean;
}

/**
 * Encrypts values for the store with one key of one provider. `key` is the store's key of the
 * value: providers that authenticate it cannot decrypt the value under another key.
 */
export interface Transformer {
  /** The provider label of metrics: `k8s:enc:aesgcm:v1:`, `identity`. */
  readonly provider: string;
  /** The prefix of the encrypted values: `k8s:enc:aesgcm:v1:key1:`. Empty: all values. */
  readonly prefix: Buffer;

  /** Returns the bytes to store, with the prefix. Throws Unavailable if the key is unavailable. */
  encrypt(value: Uint8Array, key: string): MaybePromise<Buffer>;

  /**
   * Decrypts bytes with the prefix. Throws Unavailable if the key is unavailable, and any other
   * error if the bytes were not encrypted by this transformer for this key.
   */
  decrypt(stored: Buffer, key: string): MaybePromise<PlainValue>;
}

/** The provider of a transformer, and the prefix of its values. */
export type TransformerName = Pick<Transformer, 'provider' | 'prefix'>;

/** Thrown when stored bytes cannot be decrypted with a key. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
}
