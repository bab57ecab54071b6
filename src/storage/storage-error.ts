/**
 * Why a store refused or failed. Each stands for one gRPC status code, the error vocabulary of the port:
 * NotFound NOT_FOUND, AlreadyExists ALREADY_EXISTS, Conflict ABORTED, Compacted and FutureRevision OUT_OF_RANGE,
 * InvalidKey and InvalidArgument INVALID_ARGUMENT, TooLarge RESOURCE_EXHAUSTED (as NoSpace), Unavailable UNAVAILABLE,
 * UnknownOutcome DEADLINE_EXCEEDED, Corrupt DATA_LOSS, Cancelled CANCELLED.
 */
export type StorageErrorCode =
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Compacted'
  | 'FutureRevision'
  | 'InvalidArgument'
  | 'TooLarge'
  | 'NoSpace'
  | 'Unavailable'
  | 'UnknownOutcome'
  | 'Corrupt'
  | 'Cancelled';

interface StorageErrorDetails {
  readonly key?: string;
  /** Compacted: the oldest revision that can still be read. FutureRevision: the newest. */
  readonly revision?: number;
  readonly cause?: unknown;
}

/** The one error of this layer; callers branch on `code`. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;
  readonly key: string | undefined;
  readonly revision: number | undefined;

  constructor(code: StorageErrorCode, message: string, details: StorageErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'StorageError';
    this.code = code;
    this.key = details.key;
    this.revision = details.revision;
  }
}
