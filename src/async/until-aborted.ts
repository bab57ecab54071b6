/**
 * Settles as `work` does, or fails as soon as the signal aborts, with its reason or the error that `errorOf` makes; `work` then
 * goes on unobserved. Others may wait for the same `work`.
 */
export function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  errorOf: (signal: AbortSignal) => unknown = ({ reason }) => reason,
): Promise<T> {
  if (!signal) return work;
  if (signal.aborted) {
    // The work may have no other reader, and its failure must not be taken for an unhandled one.
    work.catch(() => undefined);
    return Promise.reject(errorOf(signal));
  }
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(errorOf(signal));
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
