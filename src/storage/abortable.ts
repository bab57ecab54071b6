import { StorageError } from './storage-error.ts';

/** The error of a call whose caller went away. */
export function cancelled(): StorageError {
  return new StorageError('Cancelled', 'the request was cancelled');
}

/** Waits for a promise that others wait for too, but no longer than the signal allows: then throws Cancelled. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  if (signal.aborted) {
    // The promise may have no other reader, and its failure must not be taken for an unhandled one.
    promise.catch(() => undefined);
    return Promise.reject(cancelled());
  }
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(cancelled());
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
