import { untilAborted } from '../../async/abort-signals.ts';
import { StorageError } from './storage-error.ts';

/** The error of a call whose caller has aborted. */
export function cancelled(): StorageError {
  return new StorageError('Cancelled', 'the request was cancelled');
}

/** Waits for a shared promise, but throws Cancelled as soon as the signal aborts. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return untilAborted(promise, signal, cancelled);
}
