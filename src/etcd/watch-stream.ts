import type { Endpoint } from './endpoint.ts';
import { EtcdError } from './etcd-error.ts';
import { encodeWatchRequest, type EtcdEvent, type WatchMessage, type WatchRequest } from './watch-messages.ts';

/** One response of a watch, assembled from its fragments. */
export interface WatchResponse {
  readonly clusterId: string;
  readonly revision: number;
  readonly kind: 'created' | 'canceled' | 'events' | 'progress';
  readonly events: readonly EtcdEvent[];
  /** For `canceled` because of a compaction: the oldest revision that is left; otherwise 0. */
  readonly compactRevision: number;
  readonly reason: string;
}

/**
 * Timeout for the confirmation of a watch, including the connection. etcd confirms at once, however
 * old the start revision is.
 */
const startTimeoutMs = 3_000;

/**
 * Opens one watch on its own connection and yields etcd's responses until etcd, the reader or the
 * signal ends it. If the watch is not confirmed in time, throws `unavailable`.
 */
export async function* readWatch(
  endpoint: Endpoint,
  request: WatchRequest,
  signal: AbortSignal,
): AsyncGenerator<WatchResponse, void, undefined> {
  const connection = endpoint.openWatch();
  const { stream } = connection;
  // The iteration reports errors. An error after its end, such as a cancellation, must not end the
  // process.
  stream.on('error', () => {});
  const leave = (): void => stream.cancel();
  const start = { late: false };
  const giveUp = (): void => {
    start.late = true;
    leave();
  };
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  const timer = setTimeout(giveUp, startTimeoutMs);
  try {
    stream.write(encodeWatchRequest(request));
    let pieces: readonly EtcdEvent[] = [];
    for await (const message of stream as AsyncIterable<WatchMessage>) {
      clearTimeout(timer);
      const events = pieces.length > 0 ? pieces.concat(message.events) : message.events;
      pieces = message.fragment ? events : [];
      if (!message.fragment) yield watchResponse(message, events);
    }
  } catch (error) {
    throw start.late ? startTimedOut() : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
    leave();
    connection.close();
  }
  if (start.late) throw startTimedOut();
}

function startTimedOut(): EtcdError {
  return new EtcdError('unavailable', `etcd: the watch was not accepted within ${startTimeoutMs / 1000} s`);
}

function watchResponse(message: WatchMessage, events: readonly EtcdEvent[]): WatchResponse {
  const { clusterId, revision, compactRevision, reason } = message;
  return { clusterId, revision, kind: kindOf(message, events), events, compactRevision, reason };
}

function kindOf({ canceled, created }: WatchMessage, events: readonly EtcdEvent[]): WatchResponse['kind'] {
  // A refused watch is created and canceled in one response.
  if (canceled) return 'canceled';
  if (created) return 'created';
  return events.length > 0 ? 'events' : 'progress';
}
