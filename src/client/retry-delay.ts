import { StatusError } from './status-error.ts';

/** Number of times that a request is repeated, as in client-go. */
export const defaultRetries = 10;

/** A server cannot make a client wait for longer. */
const longestDelayMs = 60_000;

/** Requests that change nothing. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Errors of connections that the server closed, perhaps before it saw the request. */
const lostConnection: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * The delay before a failed request is repeated; undefined if it must not be. A server that answers
 * 429 has not begun, so that every request may be repeated after the time in `Retry-After`. After
 * other errors a write may have taken effect: only reads are repeated, after a 5xx with
 * `Retry-After`, or at once after a connection was lost.
 */
export function retryDelayMs(error: unknown, method: string, attempt: number): number | undefined {
  if (!(error instanceof StatusError)) return undefined;
  const { code, retryAfterMs } = error;
  const isSafe = safeMethods.has(method);
  if (code === 0) return isSafe && attempt === 0 && isLostConnection(error.cause) ? 0 : undefined;
  if (retryAfterMs === undefined || !(code === 429 || (isSafe && code >= 500))) return undefined;
  return Math.min(retryAfterMs, longestDelayMs);
}

function isLostConnection(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && lostConnection.has(String(cause.code));
}
