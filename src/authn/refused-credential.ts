import { StatusError } from '../status/status-error.ts';

/**
 * The refusal of an invalid credential. The client only gets `Unauthorized`; the reason is in
 * `cause` for the log and for TokenReviews, and must not contain the credential.
 */
export function refusedCredential(why: string, cause?: unknown): StatusError {
  return new StatusError('Unauthorized', 'Unauthorized', { cause: new Error(why, { cause }) });
}
