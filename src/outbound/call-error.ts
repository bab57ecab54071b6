import { StatusError } from '../status/status-error.ts';

/** Thrown in place of sending a request that must not be sent now. The message says why. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

const textsByCode: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: 'x509: certificate signed by unknown authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'x509: certificate signed by unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'x509: certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'x509: certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'x509: certificate signed by unknown authority',
  CERT_SIGNATURE_FAILURE: 'x509: certificate signed by unknown authority',
  CERT_HAS_EXPIRED: 'x509: certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'x509: certificate has expired or is not yet valid',
  UND_ERR_SOCKET: 'EOF',
  ECONNRESET: 'EOF',
};

/** Describes an error of the network in the words of Go, where clients know these. */
export function networkErrorText(failure: Error): string {
  const error = failure instanceof AggregateError ? (failure.errors[0] as unknown) : failure;
  if (error instanceof StatusError) return error.message;
  if (!(error instanceof Error)) return failure.message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'ECONNREFUSED')
    return `dial tcp ${error.message.replace(/^connect ECONNREFUSED /, '')}: connect: connection refused`;
  if (code === 'ENOTFOUND')
    return `dial tcp: ${error.message.replace(/^getaddrinfo ENOTFOUND /, 'lookup ')}: no such host`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `x509: ${error.message}`;
  return textsByCode[code] ?? error.message;
}

/** The kinds of failure of a call to another server. */
type CallFailure = 'unreachable' | 'timeout' | 'status' | 'malformed';

/**
 * A failed call to another server. The message names the server and the problem, and never repeats
 * a body: it may contain credentials, and is often shown to a third party.
 */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: CallFailure;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The whole number in the header `Retry-After`, if there is one. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: CallFailure,
    message: string,
    options: {
      readonly status?: number;
      readonly retryAfterSeconds?: number | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? 0;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** True if another try may succeed: the network failed, or the server is overloaded or broken. */
  get isTransient(): boolean {
    return this.code === 'unreachable' || this.status === 429 || this.status >= 500;
  }
}
