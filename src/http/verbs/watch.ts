import type { VersionedEvent, WatchQuery } from '../../registry/registry.ts';
import { checkWatchOptions, parseListOptions, watchStartOf } from '../options/list-options.ts';
import { parseSelectors, selectionOf } from '../options/selection.ts';
import { badRequest } from '../../status/status-error.ts';
import { ClientGone, type Exchange } from '../request/exchange.ts';
import type { Log } from '../request/log.ts';
import type { ResourceCall, VerbHandler } from '../request/resource-call.ts';
import { errorStatus } from '../respond/answer-error.ts';
import { readAsStream } from '../respond/read-as-stream.ts';
import { representationOf } from '../respond/representation.ts';
import { standardHeaders } from '../respond/standard-headers.ts';
import { roomFor, writeChunk } from '../respond/write-chunk.ts';
import { createFrameWriter, createSharedFrames, type FrameWriter, type SharedFrames } from './watch-frames.ts';

/** A watch without `timeoutSeconds` ends after this long plus a random part of it, so that clients do not return all at once. */
const defaultTimeoutMs = 30 * 60 * 1000;

/** The longest time that Node's timers can wait. */
const longestTimeoutMs = 2 ** 31 - 1;

/** How long readers may take, when the server stops, for what has been written to them: they resume at another server. */
const lastWordsMs = 5 * 1000;

/** How much is written before the reader's buffer is asked again. */
const chunkBytes = 256 * 1024;

/** Serves watches, and knows the open ones, so that a server can end them when it stops. */
export interface WatchServer {
  readonly watch: VerbHandler;
  /**
   * Ends every open watch cleanly, and from now on each new one at once after its initial events. Whose readers do not read on
   * are cut off a little later, for they would hold up the end.
   */
  endAll(): void;
}

/** Why a watch stops when nothing is wrong: its time is over, or the server stops. */
class WatchOver extends Error {}

interface WatchServerOptions {
  readonly log: Log;
  /** Gives numbers from 0 up to 1. */
  readonly random: () => number;
}

/** A server of watches. */
export function createWatchServer({ log, random }: WatchServerOptions): WatchServer {
  const open = new Set<Exchange>();
  const sharedFrames = createSharedFrames();
  let stopping = false;
  return {
    endAll() {
      stopping = true;
      for (const exchange of open) exchange.abort(new WatchOver());
      setTimeout(() => {
        for (const { response } of open) response.destroy();
      }, lastWordsMs).unref();
    },
    async watch(call) {
      const { exchange } = call;
      const query = watchQueryOf(call, random);
      const frames = frameWriterOf(call, sharedFrames);
      const end = (): void => exchange.abort(new WatchOver());
      const timer = setTimeout(end, query.timeoutMs);
      // One that is gone by now would not tell of its end any more.
      if (!exchange.signal.aborted) {
        open.add(exchange);
        exchange.onEnd(() => open.delete(exchange));
      }
      if (stopping) end();
      try {
        await stream(call, query, { frames, log });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function watchQueryOf({ exchange, registry, scope }: ResourceCall, random: () => number): WatchQuery {
  const options = parseListOptions(exchange.query);
  const selectors = parseSelectors(exchange.query);
  checkWatchOptions(options, scope.identifiers.apiDomain);
  const selection = selectionOf(selectors, registry.selectableFields);
  if (scope.name && exchange.query.get('fieldSelector') && selection.fieldName !== scope.name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  const start = watchStartOf(options);
  const timeoutMs =
    options.timeoutSeconds === undefined ? defaultTimeoutMs * (1 + random()) : options.timeoutSeconds * 1000;
  return {
    ...selection,
    // The deprecated path of one object: `/watch/.../{name}`.
    ...(scope.name ? { fieldName: scope.name } : {}),
    start,
    bookmarks: options.bookmarks,
    timeoutMs: Math.min(timeoutMs, longestTimeoutMs),
  };
}

function frameWriterOf(call: ResourceCall, sharedFrames: SharedFrames): FrameWriter {
  const representation = representationOf(call.exchange, call.scope.identifiers);
  return createFrameWriter(call, representation, sharedFrames);
}

type Batches = AsyncIterator<readonly VersionedEvent[]>;

interface Sending {
  readonly frames: FrameWriter;
  readonly log: Log;
}

async function stream(call: ResourceCall, query: WatchQuery, sending: Sending): Promise<void> {
  const { exchange, registry, scope } = call;
  const batches = registry.watch({ ...scope, name: '' }, query)[Symbol.asyncIterator]();
  // The registry says when the watch has begun; an error before that becomes the HTTP status.
  const first = await batches.next();
  begin(exchange, sending.frames);
  if (exchange.request.method === 'HEAD') exchange.abort(new WatchOver());
  try {
    await send(exchange, first, batches, sending);
  } catch (error) {
    if (!tellWatcher(exchange, error, sending)) return;
  } finally {
    // Whatever ended the sending also ends the cache's side.
    exchange.abort(new WatchOver());
  }
  exchange.response.end();
}

/** Writes the event that says why a watch ends early. Answers false where nobody is left to read it. */
function tellWatcher(exchange: Exchange, error: unknown, { frames, log }: Sending): boolean {
  const { signal, response } = exchange;
  if (signal.aborted && !(signal.reason instanceof ClientGone)) return true;
  const status = errorStatus(exchange, error, log);
  if (status) response.write(frames.error(status));
  else response.destroy();
  return status !== undefined;
}

function begin(exchange: Exchange, { mediaType }: FrameWriter): void {
  readAsStream(exchange);
  exchange.response.writeHead(200, standardHeaders(exchange, mediaType));
  exchange.response.flushHeaders();
}

async function send(
  exchange: Exchange,
  first: IteratorResult<readonly VersionedEvent[]>,
  batches: Batches,
  { frames }: Sending,
): Promise<void> {
  try {
    for (let next = first; !next.done; next = await batches.next()) {
      for (const chunk of frames.join(next.value, chunkBytes)) {
        exchange.sentBytes += chunk.bytes.length;
        if (!writeChunk(exchange.response, chunk)) await roomFor(exchange);
      }
    }
  } finally {
    await batches.return?.();
  }
}
