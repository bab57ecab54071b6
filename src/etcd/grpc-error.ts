import type { IncomingHttpHeaders } from 'node:http2';

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

/** What the headers at the end of an answer say went wrong; undefined where nothing did. */
export function failureIn(headers: IncomingHttpHeaders): GrpcError | undefined {
  const status = textOf(headers['grpc-status']);
  if (status === '0') return undefined;
  if (status === '') return new GrpcError('UNKNOWN', `answered with HTTP status ${String(headers[':status'])}`);
  return new GrpcError(statusNames[Number(status)] ?? 'UNKNOWN', decoded(textOf(headers['grpc-message'])));
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}

/** Messages are percent-encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
