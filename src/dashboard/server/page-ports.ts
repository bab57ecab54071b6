import type { FeedPorts } from './follow.ts';
import { send } from './send.ts';

/** The server and the page of this tab, for feeds. */
export const pagePorts: FeedPorts = {
  send,
  isHidden: () => document.hidden,
  onVisibility: (listener) => listening(document, 'visibilitychange', listener),
  onOnline: (listener) => listening(globalThis, 'online', listener),
};

function listening(target: EventTarget, type: string, listener: () => void): () => void {
  target.addEventListener(type, listener);
  return () => target.removeEventListener(type, listener);
}
