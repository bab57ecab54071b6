/** Thrown in place of sending a request that must not be sent now. The message says why. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}
