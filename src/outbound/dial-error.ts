/** The kinds of failure of a connection to another server. */
type DialFailure = 'not-allowed' | 'unreachable' | 'cancelled';

/** A connection that could not be opened. The message has the form of Go's, which clients know. */
export class DialError extends Error {
  override readonly name = 'DialError';
  readonly code: DialFailure;

  constructor(code: DialFailure, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
  }
}

/** Go's words for the errors of the operating system. */
const systemErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  ECONNRESET: 'read: connection reset by peer',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  EACCES: 'connect: permission denied',
  ETIMEDOUT: 'i/o timeout',
};

/** Translates the error of a TCP connection to an address, as in `10.0.0.1:80`. */
export function connectError(address: string, error: unknown): DialError {
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = codeOf(cause);
  const text = systemErrors[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new DialError('unreachable', `dial tcp ${address}: ${text}`, { cause });
}

/** Translates the error of a look-up of a name. */
export function lookupError(host: string, error: unknown): DialError {
  const code = codeOf(error);
  const text = code === 'ENOTFOUND' ? 'no such host' : code || String(error);
  return new DialError('unreachable', `dial tcp: lookup ${host}: ${text}`, { cause: error });
}

/** Translates the error of a TLS handshake. */
export function handshakeError(error: unknown): DialError {
  const code = codeOf(error);
  const isNoTls = code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG';
  const message = error instanceof Error ? error.message : String(error);
  const text = isNoTls ? 'first record does not look like a TLS handshake' : message;
  return new DialError('unreachable', `tls: ${text}`, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
