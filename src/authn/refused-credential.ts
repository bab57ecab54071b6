import { StatusError } from '../status/status-error.ts';

/** The message of refusals that have none of their own. */
export const genericRefusal = 'Unauthorized';

/**
 * The refusal of an invalid credential. The client only gets `message`; the reason is in `cause`
 * for the log and for TokenReviews, and must not contain the credential.
 */
export function refusedCredential(why: string, cause?: unknown, message = genericRefusal): StatusError {
  return new StatusError('Unauthorized', message, { cause: new Error(why, { cause }) });
}
