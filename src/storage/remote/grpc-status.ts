import { status } from '@grpc/grpc-js';
import { StorageError, type StorageErrorCode } from '../port/storage-error.ts';

/**
 * Trailing metadata of a failed call: the error code, because a gRPC status code may stand for
 * several.
 */
export const errorCodeHeader = 'storage-error';
/** Trailing metadata of a failed call: the `revision` of the error. */
export const errorRevisionHeader = 'storage-revision';

/** The gRPC status code for each error (contract in `proto/storage/v1/object_store.proto`). */
export const statusCodes: Readonly<Record<StorageErrorCode, status>> = {
  NotFound: status.NOT_FOUND,
  AlreadyExists: status.ALREADY_EXISTS,
  Conflict: status.ABORTED,
  Compacted: status.OUT_OF_RANGE,
  FutureRevision: status.OUT_OF_RANGE,
  InvalidArgument: status.INVALID_ARGUMENT,
  TooLarge: status.RESOURCE_EXHAUSTED,
  NoSpace: status.RESOURCE_EXHAUSTED,
  Unavailable: status.UNAVAILABLE,
  SessionEnded: status.UNAVAILABLE,
  UnknownOutcome: status.DEADLINE_EXCEEDED,
  Corrupt: status.DATA_LOSS,
  Cancelled: status.CANCELLED,
};

/** A failed call; the shape of grpc-js's `ServiceError`. */
interface FailedCall {
  readonly code: status;
  readonly details: string;
  readonly metadata: { get(name: string): readonly (string | Buffer)[] };
}

/** The messages of grpc-js for a call that was never sent. */
const neverSent = /^(?:No connection established|Name resolution failed|Channel closed before call started)/;

/**
 * The store's error, or one for a failure of the connection. A read, or a write that was never
 * sent, had no effect: Unavailable. The outcome of any other write is unknown.
 */
export function errorOfCall(error: unknown, kind: 'read' | 'write', key?: string): unknown {
  if (!isFailedCall(error)) return error;
  const said = String(error.metadata.get(errorCodeHeader)[0] ?? '');
  const revision = error.metadata.get(errorRevisionHeader)[0];
  const details = {
    ...(key === undefined ? {} : { key }),
    ...(revision === undefined ? {} : { revision: Number(revision) }),
    cause: error,
  };
  return new StorageError(isStorageErrorCode(said) ? said : codeOfTransport(error, kind), error.details, details);
}

function codeOfTransport({ code, details }: FailedCall, kind: 'read' | 'write'): StorageErrorCode {
  if (code === status.INVALID_ARGUMENT) return 'InvalidArgument';
  // The message exceeds the receiver's limit.
  if (code === status.RESOURCE_EXHAUSTED) return 'TooLarge';
  return kind === 'read' || neverSent.test(details) ? 'Unavailable' : 'UnknownOutcome';
}

function isStorageErrorCode(text: string): text is StorageErrorCode {
  return Object.hasOwn(statusCodes, text);
}

function isFailedCall(error: unknown): error is FailedCall & Error {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' && 'metadata' in error;
}
