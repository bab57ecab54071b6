import { StatusError } from '../../status/status-error.ts';

/** Most requests in flight end within this time. */
const retryAfterSeconds = 1;

/**
 * Returns the 429 for a request beyond a limit. The request had no effect, so that the client may
 * repeat it.
 */
export function tooManyRequests(): StatusError {
  return new StatusError('TooManyRequests', 'Too many requests, please try again later.', {
    details: { retryAfterSeconds },
  });
}
