/** What is wrong with a key, a certificate or a request. */
type PkiErrorCode =
  | 'InvalidPem'
  | 'InvalidDer'
  | 'InvalidCertificate'
  | 'InvalidRequest'
  | 'BadSignature'
  | 'KeyNotAllowed'
  | 'InvalidName';

/** The error of this folder. Its message names the input's fault and never holds key material. */
export class PkiError extends Error {
  readonly code: PkiErrorCode;

  constructor(code: PkiErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'PkiError';
    this.code = code;
  }
}
