import { pause } from '../async/timers.ts';
import type { Connections } from './connections.ts';

/** The requests that a client may send: a burst at once, then a number in a second. */
interface RequestRate {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * Connections that send no more requests than a rate allows; others wait for their turn in the
 * order in which they came, or until their signal aborts.
 */
export function throttledConnections(connections: Connections, { perSecond, burst }: RequestRate): Connections {
  let tokens = burst;
  let knownMs = performance.now();
  /** The time to wait for the token that is taken. */
  const take = (): number => {
    const nowMs = performance.now();
    tokens = Math.min(burst, tokens + ((nowMs - knownMs) / 1000) * perSecond) - 1;
    knownMs = nowMs;
    return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000;
  };
  return {
    async send(kind, credentials, request) {
      const waitMs = take();
      if (waitMs > 0) await pause(waitMs, request.signal);
      request.signal?.throwIfAborted();
      return connections.send(kind, credentials, request);
    },
    close: () => connections.close(),
  };
}
