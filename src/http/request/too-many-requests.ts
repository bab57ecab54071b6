import { StatusError } from '../../status/status-error.ts';

/** After so long a refused client may try again: requests in flight mostly take less. */
const retryAfterSeconds = 1;

/** 429 for a request beyond what the server does at a time. Nothing has been done for it: any client may send it again. */
export function tooManyRequests(): StatusError {
  return new StatusError('TooManyRequests', 'Too many requests, please try again later.', {
    details: { retryAfterSeconds },
  });
}
