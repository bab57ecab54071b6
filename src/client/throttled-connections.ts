import { pause } from '../async/timers.ts';
import type { Connections } from './connections.ts';

/** The rate limit of a client: a burst, then a number of requests per second. */
interface RequestRate {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * Limits the rate of requests. Requests over the limit wait in order of arrival, or until their
 * signal aborts.
 */
export function throttledConnections(connections: Connections, { perSecond, burst }: RequestRate): Connections {
  let tokens = burst;
  let knownMs = performance.now();
  /** Takes a token and returns how long the request must wait for it. */
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
