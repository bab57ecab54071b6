import { allowListeners } from './allow-listeners.ts';

/** The actions that wait for each signal. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls an action when the signal aborts, or at once if it has. Returns a function that removes the
 * action, for signals that outlive the work. All actions of a signal share one listener: Node walks
 * through the listeners of a signal to add and to remove one, and thousands of requests of
 * hundreds of users share the signal of a program.
 */
export function onAbort(signal: AbortSignal | undefined, action: () => void): () => void {
  if (!signal) return doNothing;
  if (signal.aborted) {
    action();
    return doNothing;
  }
  const actions = waiting.get(signal) ?? listen(signal);
  // One function may be registered several times.
  const own = (): void => action();
  actions.add(own);
  return () => actions.delete(own);
}

function listen(signal: AbortSignal): Set<() => void> {
  const actions = new Set<() => void>();
  waiting.set(signal, actions);
  allowListeners(signal);
  signal.addEventListener('abort', () => actions.forEach(run), { once: true });
  return actions;
}

/** An action that throws is an uncaught error, as a listener is, and does not stop the others. */
function run(action: () => void): void {
  try {
    action();
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}

function doNothing(): void {}
