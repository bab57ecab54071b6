import { setMaxListeners } from 'node:events';

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
  // Any number of actions may wait for one signal; Node would report more than ten as a leak.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', action, { once: true });
  return () => signal.removeEventListener('abort', action);
}

function doNothing(): void {}
