import { reasonOfCode } from '../status/status-error.ts';
import type { Status } from './api-object.ts';

/**
 * A failed request. Branch on `reason` (`NotFound`, `Conflict`, `Expired`, ...); `code` is the HTTP
 * status. The client's own reasons are `Unreachable` (code 0), `NoCredentials` (code 0) and
 * `BadAnswer` for a response that no API server sends: an error that is not a Status and has an
 * unusual code, a body that is no object or list, or one that does not end.
 */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: string;
  /** The server's Status, or one made by the client. */
  readonly status: Status;
  /** The time after which the server asks to try again. */
  readonly retryAfterMs: number | undefined;

  constructor(status: Status, options: { readonly cause?: unknown; readonly retryAfterMs?: number } = {}) {
    super(status.message ?? 'the request failed', { cause: options.cause });
    this.name = 'StatusError';
    this.code = status.code ?? 0;
    this.reason = status.reason ?? '';
    this.status = status;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** True if an error has one of these reasons. */
export function hasReason(error: unknown, ...reasons: readonly string[]): error is StatusError {
  return error instanceof StatusError && reasons.includes(error.reason);
}

/** Awaits a call; undefined if it fails for one of these reasons. Rejects with any other error. */
export async function ignoreReasons<T>(call: Promise<T>, ...reasons: readonly string[]): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (hasReason(error, ...reasons)) return undefined;
    throw error;
  }
}

/** True for an error response that is not a Status: a proxy's page, or another server's text. */
export function isNonStatusResponse(error: unknown): error is StatusError {
  return error instanceof StatusError && error.code !== 0 && error.status.kind !== 'Status';
}

/**
 * The error for a response outside 2xx. If the body is not a Status (a proxy's page), its beginning
 * is in the message. Without a reason of the server's it has the usual reason of its code, so that
 * callers recognise responses such as NotFound, Gone or Forbidden.
 */
export function errorOfResponse(code: number, body: string, retryAfter?: string): StatusError {
  const status = readStatus(body);
  const retryAfterMs = delayOf(retryAfter);
  const usual = reasonOfCode(code);
  if (status) {
    const reason = status.reason || usual;
    return new StatusError({ ...status, code: status.code ?? code, ...(reason ? { reason } : {}) }, { retryAfterMs });
  }
  const excerpt = body.trim().slice(0, 200);
  const message = `the server answered ${code}${excerpt ? `: ${excerpt}` : ''}`;
  return new StatusError({ code, reason: usual ?? 'BadAnswer', message }, { retryAfterMs });
}

/** `Retry-After` is a number of seconds or a date (RFC 9110 section 10.2.3). */
function delayOf(retryAfter: string | undefined): number | undefined {
  if (!retryAfter) return undefined;
  const delayMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}

/** The error for a response that no API server sends, although its code says that all is well. */
export function badAnswer(message: string, cause?: unknown): StatusError {
  return new StatusError({ code: 200, reason: 'BadAnswer', message }, { cause });
}

/** The error for a request without credentials. */
export function withoutCredentials(cause: Error): StatusError {
  const message = `getting credentials: ${cause.message}`;
  return new StatusError({ code: 0, reason: 'NoCredentials', message }, { cause });
}

/** The error for a request without a response. */
export function unreachable(server: string, cause: unknown): StatusError {
  const why = cause instanceof Error ? rootMessage(cause) : String(cause);
  return new StatusError({ code: 0, reason: 'Unreachable', message: `cannot reach ${server}: ${why}` }, { cause });
}

/** A connection to several addresses fails with an AggregateError, whose own message is empty. */
function rootMessage(error: Error): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0].message;
  return error.message || error.name;
}

function readStatus(body: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const isStatus = typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status';
    // The server declares the shape by the kind; every field is optional, and read with a fallback.
    return isStatus ? (value as Status) : undefined;
  } catch {
    return undefined;
  }
}
