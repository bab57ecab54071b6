import type { MaybePromise } from '../../../async/maybe-promise.ts';

/** A value as it was before its encryption. */
export interface PlainValue {
  readonly value: Buffer;
  /** True if it would be encrypted in another way now, so that the next write should rewrite it. */
  readonly stale: boolean;
}

/**
 * Encrypts values for the store, with one key of one provider. `key` is the store's key of the
 * value: providers that authenticate it refuse the value at any other key.
 */
export interface Transformer {
  /** The provider in metrics: `k8s:enc:aesgcm:v1:`, `identity`. */
  readonly provider: string;
  /** The beginning of the values that it wrote: `k8s:enc:aesgcm:v1:key1:`. Empty: all values. */
  readonly prefix: Buffer;

  /** Returns the bytes to store, with the prefix. Throws Unavailable if it cannot encrypt now. */
  encrypt(value: Uint8Array, key: string): MaybePromise<Buffer>;

  /**
   * Decrypts bytes that begin with the prefix. Throws Unavailable if it cannot tell now, and any
   * other error if the bytes are not what it wrote for this key.
   */
  decrypt(stored: Buffer, key: string): MaybePromise<PlainValue>;
}

/** Names a transformer: its provider, and the prefix of its values. */
export type TransformerName = Pick<Transformer, 'provider' | 'prefix'>;

/** Stored bytes that a key cannot decrypt. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
}
