import { untilAborted } from '../async/until-aborted.ts';
import { StorageError } from './storage-error.ts';

/** The error of a call whose caller went away. */
export function cancelled(): StorageError {
  return new StorageError('Cancelled', 'the request was cancelled');
}

/** Waits for a promise that others wait for too, but no longer than the signal allows: then throws Cancelled. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return untilAborted(promise, signal, cancelled);
}
