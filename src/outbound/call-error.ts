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
