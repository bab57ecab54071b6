import { setMaxListeners } from 'node:events';

const allowed = new WeakSet<AbortSignal>();

/**
 * Lets any number of actions wait for a signal; Node would report more than ten as a leak. Asking
 * Node for each action would cost more than the action.
 */
export function allowListeners(signal: AbortSignal): void {
  if (allowed.has(signal)) return;
  allowed.add(signal);
  setMaxListeners(0, signal);
}
