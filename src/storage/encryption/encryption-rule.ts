import type { KmsProvider } from './kms/open-plugin.ts';

/** The providers for some resources. The first encrypts, all decrypt. */
export interface EncryptionRule {
  /**
   * The resources as in keys: `secrets`, `deployments.apps`; `*.apps`, `*.` (the core group),
   * `*.*`.
   */
  readonly resources: readonly string[];
  readonly providers: readonly EncryptionProvider[];
}

/** A named key of a provider. */
export interface EncryptionKey {
  readonly name: string;
  readonly secret: Buffer;
}

/** A provider with local keys. */
export interface KeyProvider {
  readonly kind: 'aescbc' | 'aesgcm' | 'secretbox';
  /** The keys. The first encrypts, all decrypt. */
  readonly keys: readonly EncryptionKey[];
}

/** A way to encrypt values; `identity` does not. */
export type EncryptionProvider = KeyProvider | KmsProvider | { readonly kind: 'identity' };
