import type { IDuplexStream, IEvent, IWatchCreateRequest, IWatchRequest, IWatchResponse } from 'etcd3';
import type { Endpoint } from './endpoint.ts';
import { EtcdError } from './etcd-error.ts';

/**
 * The runtime type of a watch stream, which is one of grpc-js: readable, with back pressure down to
 * the connection.
 */
type WatchStream = IDuplexStream<IWatchRequest, IWatchResponse> & AsyncIterable<IWatchResponse>;

/** One response of a watch, assembled from its fragments. */
export interface WatchResponse {
  readonly clusterId: string;
  readonly revision: number;
  readonly kind: 'created' | 'canceled' | 'events' | 'progress';
  readonly events: readonly IEvent[];
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
 * Opens one watch on its own stream and yields etcd's responses until etcd, the reader or the
 * signal ends it. If the watch is not confirmed in time, throws `unavailable` and closes the
 * connection, which may be dead.
 */
export async function* readWatch(
  endpoint: Endpoint,
  request: IWatchCreateRequest,
  signal: AbortSignal,
): AsyncGenerator<WatchResponse, void, undefined> {
  const { watches } = endpoint;
  const stream = (await watches.watchClient.watch(endpoint.requireLeader)) as WatchStream;
  // The client's half is ended first, so that etcd3 does not count the cancellation as a failure of
  // the member.
  const leave = (): void => {
    stream.end();
    stream.cancel();
  };
  const start = { late: false };
  const giveUp = (): void => {
    start.late = true;
    leave();
    endpoint.renewWatches(watches);
  };
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  const timer = setTimeout(giveUp, startTimeoutMs);
  try {
    stream.write({ create_request: request });
    let pieces: IEvent[] = [];
    for await (const answer of stream) {
      clearTimeout(timer);
      const events = pieces.length > 0 ? pieces.concat(answer.events) : answer.events;
      pieces = answer.fragment ? events : [];
      if (!answer.fragment) yield watchAnswer(answer, events);
    }
  } catch (error) {
    throw start.late ? startTimedOut() : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
    leave();
  }
  if (start.late) throw startTimedOut();
}

function startTimedOut(): EtcdError {
  return new EtcdError('unavailable', `etcd: the watch was not accepted within ${startTimeoutMs / 1000} s`);
}

function watchAnswer(answer: IWatchResponse, events: readonly IEvent[]): WatchResponse {
  return {
    clusterId: answer.header.cluster_id,
    revision: Number(answer.header.revision),
    kind: kindOf(answer, events),
    events,
    compactRevision: Number(answer.compact_revision),
    reason: answer.cancel_reason,
  };
}

function kindOf(answer: IWatchResponse, events: readonly IEvent[]): WatchResponse['kind'] {
  // A refused watch is created and canceled in one response.
  if (answer.canceled) return 'canceled';
  if (answer.created) return 'created';
  return events.length > 0 ? 'events' : 'progress';
}
