import {
  alreadyExists,
  conflict,
  modifiedMessage,
  notFound,
  StatusError,
  type StatusSubject,
} from '../../status/status-error.ts';
import { StorageError, type StorageErrorCode } from '../../storage/port/storage-error.ts';

/** The request that a storage error belongs to, for its message. */
export interface StorageErrorContext {
  readonly subject: StatusSubject;
  readonly name: string;
  /** The requested revision, if any. */
  readonly revision?: number;
  /** A token that continues the expired list at the newest revision. */
  readonly continueToken?: string;
  readonly watch?: boolean;
}

/** Runs work on the store; storage errors are rethrown as a Status. */
export async function atStorageBorder<T>(context: StorageErrorContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw statusOfStorageError(error, context);
  }
}

/** Maps a storage error to a Status. Any other error is returned unchanged. */
export function statusOfStorageError(error: unknown, context: StorageErrorContext): unknown {
  return error instanceof StorageError ? table[error.code](error, context) : error;
}

/** Reports whether a write failed because the object exceeds the limit of the store. */
export function isTooLargeToStore(error: unknown): boolean {
  const cause = error instanceof StatusError ? error.cause : error;
  return cause instanceof StorageError && cause.code === 'TooLarge';
}

/** Reports whether a request failed because the stored value of its object is damaged. */
export function isUnreadable(error: unknown): boolean {
  const cause = error instanceof StatusError ? error.cause : error;
  return cause instanceof StorageError && cause.code === 'Corrupt' && cause.key !== undefined;
}

type Translate = (error: StorageError, context: StorageErrorContext) => StatusError;

const table: Readonly<Record<StorageErrorCode, Translate>> = {
  NotFound: (_, { subject, name }) => notFound(subject, name),
  AlreadyExists: (_, { subject, name }) => alreadyExists(subject, name),
  Conflict: (_, { subject, name }) => conflict(subject, name, modifiedMessage),
  Compacted: expired,
  FutureRevision: tooLargeRevision,
  InvalidArgument: (error) => new StatusError('BadRequest', error.message, { cause: error }),
  TooLarge: (error) =>
    new StatusError('RequestEntityTooLarge', 'the object is too large to be stored', { details: {}, cause: error }),
  NoSpace: (error) =>
    new StatusError('InternalError', 'the store has no room left: database space exceeded', {
      details: { retryAfterSeconds: 10, causes: [{ message: 'database space exceeded' }] },
      cause: error,
    }),
  Unavailable: unavailable,
  SessionEnded: unavailable,
  UnknownOutcome: (error) =>
    new StatusError('Timeout', 'the store did not answer in time; the request may or may not have been carried out', {
      details: {},
      cause: error,
    }),
  Corrupt: corrupt,
  Cancelled: (error) =>
    new StatusError('Timeout', 'the request ended before it was carried out', { details: {}, cause: error }),
};

function unavailable(error: StorageError): StatusError {
  return new StatusError('ServerTimeout', 'the store is not available at present; please try again', {
    details: { retryAfterSeconds: 1 },
    cause: error,
  });
}

/**
 * With a key: a stored object is damaged. Without a key: the store was replaced or restored from
 * a backup; the client may retry.
 */
function corrupt(error: StorageError): StatusError {
  if (error.key !== undefined) {
    return new StatusError('InternalError', `Internal error occurred: StorageError: corrupt object: ${error.message}`, {
      details: { causes: [{ reason: 'UnexpectedServerResponse', message: error.message, field: error.key }] },
      cause: error,
    });
  }
  return new StatusError('ServerTimeout', 'the store was replaced or restored from a backup; please try again', {
    details: { retryAfterSeconds: 1 },
    cause: error,
  });
}

const expiredContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the ' +
  'continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with ' +
  'the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the ' +
  'first chunk was returned and now may show up in the list.';

function expired(error: StorageError, { watch, continueToken, revision }: StorageErrorContext): StatusError {
  if (continueToken !== undefined) {
    return new StatusError('Expired', expiredContinue, { metadata: { continue: continueToken }, cause: error });
  }
  if (!watch) {
    return new StatusError('Expired', 'The resourceVersion for the provided list is too old.', { cause: error });
  }
  const asked = revision === undefined ? '' : `too old resource version: ${revision} (${error.revision ?? 0})`;
  return new StatusError('Expired', asked || 'The resourceVersion for the provided watch is too old.', {
    cause: error,
  });
}

/** Clients recognise the cause and retry until this server has reached the revision. */
function tooLargeRevision(error: StorageError, { revision }: StorageErrorContext): StatusError {
  const asked = `Too large resource version: ${revision}, current: ${error.revision ?? 0}`;
  return new StatusError('Timeout', `Timeout: ${revision === undefined ? error.message : asked}`, {
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
    cause: error,
  });
}
