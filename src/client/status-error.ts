import type { Status } from './api-object.ts';

/**
 * A failed request. Branch on `reason` (`NotFound`, `Conflict`, `Expired`, ...); `code` is the HTTP
 * status. If the server is unreachable, or its response is not a Status, the reason is
 * `Unreachable` (code 0) or `BadAnswer`.
 */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: string;
  /** The server's Status, or one made by the client. */
  readonly status: Status;

  constructor(status: Status, cause?: unknown) {
    super(status.message ?? 'the request failed', { cause });
    this.name = 'StatusError';
    this.code = status.code ?? 0;
    this.reason = status.reason ?? '';
    this.status = status;
  }
}

/** True if an error is the server's Status with one of these reasons. */
export function hasReason(error: unknown, ...reasons: readonly string[]): error is StatusError {
  return error instanceof StatusError && reasons.includes(error.reason);
}

/**
 * The error for a response outside 2xx. If the body is not a Status (a proxy's page), its beginning
 * is in the message.
 */
export function errorOfAnswer(code: number, body: string): StatusError {
  const status = readStatus(body);
  if (status) return new StatusError({ ...status, code: status.code ?? code });
  const excerpt = body.trim().slice(0, 200);
  return new StatusError({
    code,
    reason: 'BadAnswer',
    message: `the server answered ${code}${excerpt ? `: ${excerpt}` : ''}`,
  });
}

/** The error for a request without a response. */
export function unreachable(server: string, cause: unknown): StatusError {
  const why = cause instanceof Error ? rootMessage(cause) : String(cause);
  return new StatusError({ code: 0, reason: 'Unreachable', message: `cannot reach ${server}: ${why}` }, cause);
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
