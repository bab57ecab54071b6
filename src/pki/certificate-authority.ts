import type { KeyObject } from 'node:crypto';

/** A certificate and the key that signs in its name. */
export interface CertificateAuthority {
  readonly certificatePem: string;
  readonly key: KeyObject;
}
