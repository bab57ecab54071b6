import type { HeaderFields } from './hpack.ts';

/** The names of gRPC status codes, by number. */
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

/**
 * The error of a failed call. Its message begins with the status as in grpc-js: `14 UNAVAILABLE:
 * ...`; see `classifyError`.
 */
export class GrpcError extends Error {
  constructor(status: StatusName, text: string) {
    super(`${statusNames.indexOf(status)} ${status}: ${text}`);
    this.name = 'GrpcError';
  }
}

/** The error of a call that was certainly never processed; `classifyError` matches its text. */
export function notConnected(why: string): GrpcError {
  return new GrpcError('UNAVAILABLE', `No connection established. Last error: ${why}`);
}

/**
 * The error of a response; undefined if it succeeded. The status is in the trailers. A response
 * without a status is not from a gRPC server; its HTTP status is then reported.
 */
export function failureIn(last: HeaderFields | undefined, first: HeaderFields | undefined): GrpcError | undefined {
  const status = last?.get('grpc-status');
  if (status === '0') return undefined;
  if (status === undefined) {
    const httpStatus = (first ?? last)?.get(':status') ?? 'unknown';
    return new GrpcError('UNKNOWN', `the response with HTTP status ${httpStatus} is not a gRPC response`);
  }
  return new GrpcError(statusNames[Number(status)] ?? 'UNKNOWN', decoded(last?.get('grpc-message') ?? ''));
}

/** Status messages are percent-encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
