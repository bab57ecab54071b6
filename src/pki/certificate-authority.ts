import type { KeyObject } from 'node:crypto';

/** A certificate and the key that signs on its behalf. */
export interface CertificateAuthority {
  readonly certificatePem: string;
  readonly key: KeyObject;
}
