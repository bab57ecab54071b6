import type { VersionedEvent, WatchQuery } from '../../registry/definition/registry.ts';
import { checkWatchOptions, parseListOptions, watchStartOf } from '../options/list-options.ts';
import { parseSelectors, selectionOf } from '../options/selection.ts';
import { badRequest, StatusError } from '../../status/status-error.ts';
import { ClientGone } from '../../http-protocol/requests/http-exchange.ts';
import type { Exchange } from '../request/exchange.ts';
import type { ListFeatures } from '../request/list-features.ts';
import type { Log } from '../../http-protocol/requests/log.ts';
import { tooManyRequests } from '../../http-protocol/requests/byte-budget.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import { kindOf, type ResourceCall, type VerbHandler } from '../request/resource-call.ts';
import { errorStatus } from '../respond/answer-error.ts';
import { representationOf } from '../respond/representation.ts';
import { createFrameWriter, createSharedFrames, type FrameWriter } from './watch-frames.ts';
import { responseSink, type WatchSink } from './watch-sink.ts';
import { webSocketEncoder, webSocketOf, webSocketSink } from './web-socket-watch.ts';

/** The maximum delay of Node's timers. */
const longestTimeoutMs = 2 ** 31 - 1;

/**
 * The time for clients to read the remaining events when the server stops. Afterwards they resume
 * at another server.
 */
const lastWordsMs = 5 * 1000;

/** The size of chunks; the client's buffer is checked after each one. */
const chunkBytes = 256 * 1024;

/** Serves watches, and ends the open ones when the server stops. */
export interface WatchServer {
  readonly watch: VerbHandler;
  /**
   * Ends every open watch cleanly; later watches end after their initial events. Connections of
   * clients that do not read the remaining events are closed after `lastWordsMs`, because they
   * would delay the shutdown.
   */
  endAll(): void;
}

/** The number of batches in which open watches are ended during the grace period. */
const endingTurns = 20;

/** The abort reason of a watch that ends normally: its time is over, or the server stops. */
class WatchOver extends Error {}

interface WatchServerOptions {
  readonly log: Log;
  readonly metrics: Pick<RequestMetrics, 'eventsOf' | 'stateSent'>;
  /** Returns numbers from 0 up to 1. */
  readonly random: () => number;
  /**
   * The minimum duration of a watch without `timeoutSeconds`. A random part of up to the same
   * duration is added, so that clients do not reconnect all at once.
   */
  readonly leastMs: number;
  /** The time over which open watches are ended when the server stops; 0: all at once. */
  readonly graceMs: number;
}

/** Creates a server of watches. */
export function createWatchServer({ log, metrics, random, leastMs, graceMs }: WatchServerOptions): WatchServer {
  const open = new Set<Exchange>();
  const sharedFrames = createSharedFrames();
  let stopping = false;
  return {
    endAll() {
      stopping = true;
      endOver(open, graceMs);
      setTimeout(() => {
        for (const exchange of open) destroyConnection(exchange);
      }, graceMs + lastWordsMs).unref();
    },
    async watch(call) {
      const { exchange } = call;
      const query = watchQueryOf(call, leastMs * (1 + random()));
      const end = (): void => exchange.abort(new WatchOver());
      const webSocket = webSocketOf(exchange);
      const frames = createFrameWriter(call, representationOf(call), {
        sharedFrames,
        ...(webSocket ? { framed: webSocketEncoder } : {}),
      });
      const sink = webSocket ? webSocketSink(exchange, webSocket, end) : responseSink(exchange);
      const timer = endsAtOnce(call, query) ? undefined : setTimeout(end, query.timeoutMs);
      // An aborted exchange is about to end; `endAll` need not end it.
      if (!exchange.signal.aborted) {
        open.add(exchange);
        exchange.onEnd(() => open.delete(exchange));
      }
      if (stopping) end();
      try {
        await stream(call, query, { frames, sink, log, metrics });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/**
 * Ends watches evenly over a time, so that their clients do not reconnect elsewhere all at once.
 */
function endOver(open: ReadonlySet<Exchange>, graceMs: number): void {
  const exchanges = [...open];
  const turns = graceMs === 0 ? 1 : endingTurns;
  const part = Math.ceil(exchanges.length / turns);
  for (let turn = 0; turn < turns; turn++) {
    const ending = exchanges.slice(turn * part, (turn + 1) * part);
    const end = (): void => {
      for (const exchange of ending) exchange.abort(new WatchOver());
    };
    if (turn === 0) end();
    else if (ending.length > 0) setTimeout(end, (graceMs * turn) / turns).unref();
  }
}

function watchQueryOf(call: ResourceCall, usualMs: number): WatchQuery {
  const { exchange, registry, scope, listFeatures: features } = call;
  const options = parseListOptions(exchange.query);
  const selectors = parseSelectors(exchange.query, features);
  checkWatchOptions(options, { features, apiDomain: scope.identifiers.apiDomain });
  const selection = selectionOf(selectors, registry.selectableFields(scope.version));
  if (scope.name && exchange.query.get('fieldSelector') && selection.fieldName !== scope.name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  const start = watchStartOf(options, features);
  const timeoutMs = options.timeoutSeconds === undefined ? usualMs : options.timeoutSeconds * 1000;
  return {
    ...selection,
    // The name in a deprecated watch path of one object: `/watch/.../{name}`.
    ...(scope.name ? { fieldName: scope.name } : {}),
    start,
    bookmarks: options.bookmarks,
    timeoutMs: Math.min(timeoutMs, longestTimeoutMs),
  };
}

/** True if the response ends after its headers: to a HEAD, or with a negative `timeoutSeconds`. */
function endsAtOnce({ exchange }: ResourceCall, { timeoutMs }: WatchQuery): boolean {
  return exchange.request.method === 'HEAD' || timeoutMs < 0;
}

/** Destroys the connection of a watch. After an upgrade Node's response is detached from it. */
function destroyConnection({ response, socket }: Exchange): void {
  if (socket) socket.destroy();
  else response.destroy();
}

type Batches = AsyncIterator<readonly VersionedEvent[]>;

interface Sending {
  readonly frames: FrameWriter;
  readonly sink: WatchSink;
  readonly log: Log;
  readonly metrics: Pick<RequestMetrics, 'eventsOf' | 'stateSent'>;
}

async function stream(call: ResourceCall, query: WatchQuery, sending: Sending): Promise<void> {
  const { exchange, registry, scope } = call;
  const { sink } = sending;
  const batches = registry.watch({ ...scope, name: '' }, query)[Symbol.asyncIterator]();
  const first = await firstBatch(call, batches, sending);
  if (!first) return;
  const begun = begin(exchange, sending);
  if (!begun || endsAtOnce(call, query)) {
    exchange.abort(new WatchOver());
    await batches.return?.();
    if (begun) sink.end();
    return;
  }
  try {
    await send(call, first, batches, sending);
    sink.end();
  } catch (error) {
    endAfter(exchange, error, sending);
  } finally {
    // Also ends the watch of the cache, for whatever reason the response ended.
    exchange.abort(new WatchOver());
  }
}

const tooOld: ReadonlySet<number> = new Set([410]);

/** The codes of start errors that become ERROR events: a version that is too old or too new. */
const lateCodes: Readonly<Record<ListFeatures['watchLists'], ReadonlySet<number>>> = {
  ungated: tooOld,
  disabled: tooOld,
  enabled: new Set([410, 504]),
};

/**
 * Waits for the first batch, which shows that the watch has started. An earlier error becomes the
 * HTTP status. For some versions it becomes an ERROR event, and this returns undefined.
 */
async function firstBatch(
  { exchange, scope, listFeatures }: ResourceCall,
  batches: Batches,
  sending: Sending,
): Promise<IteratorResult<readonly VersionedEvent[]> | undefined> {
  try {
    return await batches.next();
  } catch (error) {
    const isLate = error instanceof StatusError && lateCodes[listFeatures.watchLists].has(error.code);
    if (!isLate || scope.identifiers.lateWatch !== 'event') throw error;
    if (begin(exchange, sending)) sending.sink.end(sending.frames.error(error));
    return undefined;
  }
}

/**
 * Ends a watch with an ERROR event that has the reason, or without one if it was ended on purpose.
 * If the client is gone, destroys the connection.
 */
function endAfter(exchange: Exchange, error: unknown, { frames, sink, log }: Sending): void {
  const { signal } = exchange;
  if (signal.aborted && !(signal.reason instanceof ClientGone)) return sink.end();
  const status = errorStatus(exchange, error, log);
  if (status) sink.end(frames.error(status));
  else destroyConnection(exchange);
}

/** Starts the stream of events; false if the WebSocket handshake was refused instead. */
function begin(exchange: Exchange, { frames, sink }: Sending): boolean {
  const status = sink.begin(frames.mediaType);
  if (status === undefined) return false;
  exchange.audit?.started(status);
  exchange.audit?.flush();
  sink.open();
  exchange.streaming();
  return true;
}

/** A chunk of more bytes counts in the budget of unread responses until its reader took it. */
const largeChunkBytes = 16 * 1024;

/** Waits until a chunk was taken. Throws 429 if too many large ones wait for their readers. */
async function roomBehind(exchange: Exchange, sink: WatchSink, bytes: number): Promise<void> {
  if (bytes <= largeChunkBytes) return sink.room();
  if (!exchange.chargeResponse(bytes)) throw tooManyRequests();
  await sink.room();
  exchange.releaseResponse(bytes);
}

async function send(
  call: ResourceCall,
  first: IteratorResult<readonly VersionedEvent[]>,
  batches: Batches,
  { frames, sink, metrics }: Sending,
): Promise<void> {
  const { exchange } = call;
  const count = metrics.eventsOf(kindOf(call), call.served.info.resource);
  try {
    for (let next = first; !next.done; next = await batches.next()) {
      let bytes = 0;
      for (const chunk of frames.join(next.value, chunkBytes)) {
        bytes += chunk.bytes.length;
        exchange.sentBytes += chunk.bytes.length;
        if (!sink.write(chunk)) await roomBehind(exchange, sink, chunk.bytes.length);
      }
      if (bytes > 0) count(next.value.length, bytes);
      const [event] = next.value;
      if (event?.type === 'BOOKMARK' && event.initialEventsEnd) metrics.stateSent(exchange, call.served);
    }
  } finally {
    await batches.return?.();
  }
}
