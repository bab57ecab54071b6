import { onAbort } from './on-abort.ts';

/**
 * Settles as `work` does, or rejects as soon as the signal aborts, with its reason or the error of
 * `errorOf`. `work` is not cancelled, because others may wait for it too.
 */
export function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  errorOf: (signal: AbortSignal) => unknown = ({ reason }) => reason,
): Promise<T> {
  if (!signal) return work;
  if (signal.aborted) {
    // `work` may have no other reader; its failure must not become an unhandled rejection.
    work.catch(() => undefined);
    return Promise.reject(errorOf(signal));
  }
  return new Promise<T>((resolve, reject) => {
    const release = onAbort(signal, () => reject(errorOf(signal)));
    work.then(resolve, reject).finally(release);
  });
}
