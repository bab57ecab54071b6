import type { OpenRequests } from '../../http-protocol/requests/open-requests.ts';
import type { Exchange } from '../request/exchange.ts';

/** The watches of a client on a resource. */
interface ClientWatches {
  readonly user: string;
  readonly userAgent: string;
  readonly resource: string;
  readonly watches: number;
  /** The age of the oldest watch in seconds. */
  readonly oldestSeconds: number;
  /** The bytes that were sent to these watches. */
  readonly bytes: number;
}

const longestText = 128;

/** Groups the open watches by user, program and resource; the largest groups come first. */
export function watchesByClient(requests: OpenRequests): readonly (ClientWatches & Record<string, string | number>)[] {
  const groups = new Map<string, ClientWatches>();
  const nowMs = performance.now();
  requests.forEach((open) => {
    // All open requests of this layer are exchanges of the API.
    const exchange = open as Exchange;
    if (exchange.verb !== 'watch') return;
    const { path, user, request, openedMs, sentBytes } = exchange;
    const { group = '', resource = '' } = path.target ?? {};
    const one = {
      user: user.username.slice(0, longestText),
      userAgent: (request.headers['user-agent'] ?? '').slice(0, longestText),
      resource: group === '' ? resource : `${resource}.${group}`,
    };
    const key = JSON.stringify([one.user, one.userAgent, one.resource]);
    const known = groups.get(key);
    const ageSeconds = Math.floor((nowMs - openedMs) / 1000);
    groups.set(key, {
      ...one,
      watches: (known?.watches ?? 0) + 1,
      oldestSeconds: Math.max(known?.oldestSeconds ?? 0, ageSeconds),
      bytes: (known?.bytes ?? 0) + sentBytes,
    });
  });
  return [...groups.values()].map((group) => ({ ...group })).toSorted((one, other) => other.watches - one.watches);
}
