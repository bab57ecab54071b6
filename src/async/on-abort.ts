import { allowListeners } from './allow-listeners.ts';

/**
 * Calls an action when the signal aborts, or at once if it has. Returns a function that removes the
 * action, for signals that outlive the work.
 */
export function onAbort(signal: AbortSignal | undefined, action: () => void): () => void {
  if (!signal) return doNothing;
  if (signal.aborted) {
    action();
    return doNothing;
  }
  allowListeners(signal);
  signal.addEventListener('abort', action, { once: true });
  return () => signal.removeEventListener('abort', action);
}

function doNothing(): void {}
