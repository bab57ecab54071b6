/** The problem of a key, a certificate or a request. */
type PkiErrorCode =
  | 'InvalidPem'
  | 'InvalidDer'
  | 'InvalidCertificate'
  | 'InvalidRequest'
  | 'BadSignature'
  | 'KeyNotAllowed'
  | 'InvalidName';

/**
 * The error of this folder. Its message describes the problem of the input and contains no key
 * material.
 */
export class PkiError extends Error {
  readonly code: PkiErrorCode;

  constructor(code: PkiErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'PkiError';
    this.code = code;
  }
}
