import { StatusError } from '../status/status-error.ts';
import { CallError } from './call-error.ts';

/** A call of a webhook that gave no answer. The message says why. */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError';
  /** The HTTP status of the webhook; 0 without a response. */
  readonly status: number;

  constructor(message: string, options: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.status = options.status ?? 0;
  }
}

/** Describes the failure of a POST as kube-apiserver does; bodies are never repeated. */
export function callErrorOf(url: string, error: unknown): WebhookCallError {
  if (error instanceof StatusError) return new WebhookCallError(error.message, { cause: error });
  if (!(error instanceof CallError)) throw error;
  const { status, code } = error;
  if (code === 'status') return new WebhookCallError(statusText(status), { status, cause: error });
  if (code === 'timeout') return new WebhookCallError(`Post "${url}": context deadline exceeded`, { cause: error });
  if (code === 'unreachable') {
    return new WebhookCallError(`Post "${url}": ${networkText(error)}`, { cause: error });
  }
  return new WebhookCallError(error.message, { cause: error });
}

const statusTexts: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  403: 'the server does not allow access to the requested resource',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  503: 'the server is currently unable to handle the request',
};

function statusText(status: number): string {
  if (status >= 300 && status < 400) return `the webhook answered with status ${status}; redirects are not followed`;
  const known = statusTexts[status];
  if (known !== undefined) return known;
  if (status >= 500) return 'an error on the server ("unknown") has prevented the request from succeeding';
  return `the server responded with the status code ${status} but did not return more information`;
}

const certificateTexts: Readonly<Record<string, string>> = {
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

/** The network error in the words of Go, where clients know these. */
function networkText({ cause, message }: CallError): string {
  const error = cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause;
  if (error instanceof StatusError) return error.message;
  if (!(error instanceof Error)) return message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'ECONNREFUSED')
    return `dial tcp ${error.message.replace(/^connect ECONNREFUSED /, '')}: connect: connection refused`;
  if (code === 'ENOTFOUND')
    return `dial tcp: ${error.message.replace(/^getaddrinfo ENOTFOUND /, 'lookup ')}: no such host`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `x509: ${error.message}`;
  return certificateTexts[code] ?? error.message;
}
