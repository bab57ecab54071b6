/**
 * The reason why a store call failed. Each stands for one gRPC status code, the errors of the port:
 * NotFound NOT_FOUND, AlreadyExists ALREADY_EXISTS, Conflict ABORTED, Compacted and FutureRevision
 * OUT_OF_RANGE, InvalidArgument INVALID_ARGUMENT, TooLarge and NoSpace RESOURCE_EXHAUSTED,
 * Unavailable and SessionEnded UNAVAILABLE, UnknownOutcome DEADLINE_EXCEEDED, Corrupt DATA_LOSS,
 * Cancelled CANCELLED.
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
  | 'SessionEnded'
  | 'UnknownOutcome'
  | 'Corrupt'
  | 'Cancelled';

interface StorageErrorDetails {
  readonly key?: string;
  /** Compacted: the oldest readable revision. FutureRevision: the newest one. */
  readonly revision?: number;
  readonly cause?: unknown;
}

/** The only error class of this layer; callers branch on `code`. */
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

/** Logs a message with its details. */
export type StorageLog = (message: string, details: Readonly<Record<string, unknown>>) => void;
