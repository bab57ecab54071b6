import type { HeaderFields } from './hpack.ts';

/** The names that gRPC has for its statuses, by number. */
const statusNames = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

/** The name of a gRPC status. */
type StatusName = (typeof statusNames)[number];

/** A call that failed. Its message begins with the status, as grpc-js writes it: `14 UNAVAILABLE: ...`; see `classifyError`. */
export class GrpcError extends Error {
  constructor(status: StatusName, text: string) {
    super(`${statusNames.indexOf(status)} ${status}: ${text}`);
    this.name = 'GrpcError';
  }
}

/** For a call that has surely not left this process; `classifyError` knows the words. */
export function notConnected(why: string): GrpcError {
  return new GrpcError('UNAVAILABLE', `No connection established. Last error: ${why}`);
}

/**
 * What an answer says went wrong; undefined where nothing did. The status stands in the fields that end it; an answer without a
 * status does not come from a gRPC server, and its first fields say more.
 */
export function failureIn(last: HeaderFields | undefined, first: HeaderFields | undefined): GrpcError | undefined {
  const status = last?.get('grpc-status');
  if (status === '0') return undefined;
  if (status === undefined) {
    const httpStatus = (first ?? last)?.get(':status') ?? 'unknown';
    return new GrpcError('UNKNOWN', `answered with HTTP status ${httpStatus} and nothing that is gRPC`);
  }
  return new GrpcError(statusNames[Number(status)] ?? 'UNKNOWN', decoded(last?.get('grpc-message') ?? ''));
}

/** Messages are percent-encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
