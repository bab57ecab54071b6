import { nextTurn } from '../../async/yield-if-long.ts';
import type { HttpResponse } from '../messages/http-message.ts';
import type { HttpExchange } from '../requests/http-exchange.ts';
import { acceptsGzip, gzipped } from './gzipped.ts';
import { admitResponse } from './admit-response.ts';
import { workAroundPausedParser } from './work-around-paused-parser.ts';
import { gzipThresholdBytes } from './send-bytes.ts';
import { standardHeaders } from './standard-headers.ts';
import { endWithChunks, writeChunks } from './write-chunks.ts';

/** A writer that waits for its turn. */
interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/**
 * A limit of the bytes that all large responses together write in one turn of the event loop, most
 * of whose time is encryption. A hundred large lists delay a small request no longer than one does.
 */
class TurnByteLimit {
  readonly #limit: number;
  readonly #waiting: Waiting[] = [];
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Returns undefined if bytes are left in this turn: the caller writes at once. Otherwise returns
   * a promise that resolves in a later turn, in the order of the calls. The last write of a turn
   * may exceed the limit.
   */
  take(bytes: number): Promise<void> | undefined {
    if (this.#taken === 0) setImmediate(() => this.#nextTurn());
    if (this.#taken < this.#limit && this.#waiting.length === 0) {
      this.#taken += bytes;
      return undefined;
    }
    return new Promise((begin) => this.#waiting.push({ bytes, begin }));
  }

  #nextTurn(): void {
    this.#taken = 0;
    if (this.#waiting.length > 0) setImmediate(() => this.#nextTurn());
    while (this.#taken < this.#limit) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#taken += next.bytes;
      next.begin();
    }
  }
}

/**
 * The number of bytes of a body in memory that are written in one turn of the event loop: large
 * enough to be efficient, small enough not to delay other requests.
 */
const turnBytes = 512 * 1024;

/**
 * Bodies up to this length are written in one turn, in half a millisecond. More turns would cost
 * more.
 */
const oneTurnBytes = 2 * turnBytes;

/** All bodies in memory share the bytes of a turn. Writing these takes a third of a millisecond. */
const turnByteLimit = new TurnByteLimit(turnBytes);

/** A response whose body is a sequence of chunks. */
interface StreamedResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: KnownBody | AsyncIterable<Buffer>;
}

/** A body of known length whose chunks are available synchronously. */
export interface KnownBody {
  readonly length: number;
  readonly chunks: Iterable<Buffer>;
  /** True if the whole body is in memory for this response only, until it is sent. */
  readonly held?: boolean;
  /** Takes back a chunk that was sent. It is not called for each of them. */
  readonly release?: ((chunk: Buffer) => void) | undefined;
}

/**
 * Sends a response chunk by chunk, as the client reads it; compressed if it is long and the client
 * accepts gzip. Throws if the body does not have its declared length, so that the connection is
 * closed and no client takes the response for complete. Throws 429 if the budget of responses is
 * used up. Does nothing if a response has started.
 */
export async function streamResponse(
  exchange: HttpExchange,
  { status, contentType, body }: StreamedResponse,
): Promise<void> {
  const { request, response } = exchange;
  if (response.headersSent) return;
  const known = 'chunks' in body ? body : undefined;
  const long = !known || known.length > gzipThresholdBytes;
  const compress = long && acceptsGzip(request.headers['accept-encoding']);
  const headers = standardHeaders(exchange, contentType);
  if (compress) headers.push('Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding');
  else if (known) headers.push('Content-Length', String(known.length));
  admitResponse(exchange, known ? heldBytes(known) : turnBytes);
  workAroundPausedParser(exchange);
  response.writeHead(status, headers);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const chunks = 'chunks' in body ? exactly(body) : body;
  const last =
    !compress && known
      ? await writeYielding(exchange, chunks, known)
      : await writeEach(exchange, compress ? gzipped(chunks) : chunks);
  await exchange.audit?.responding(status);
  exchange.audit?.flush();
  endWithChunks(exchange, last);
}

/**
 * Returns the bytes in memory for this response only. For a body that exists anyway, these are the
 * bytes written in one turn.
 */
function heldBytes({ length, held = false }: KnownBody): number {
  return held ? length : Math.min(length, oneTurnBytes);
}

/**
 * Iterates over the chunks of a body. Throws if they are longer or shorter than the declared
 * length.
 */
function* exactly({ length, chunks }: KnownBody): Generator<Buffer> {
  let written = 0;
  for (const chunk of chunks) {
    written += chunk.length;
    if (written > length) throw new Error(`the response has more bytes than its Content-Length ${length}`);
    yield chunk;
  }
  if (written !== length) throw new Error(`the response has only ${written} bytes of its Content-Length ${length}`);
}

type Chunks = Iterable<Buffer> | AsyncIterable<Buffer>;

/** Writes a body in turns of the event loop, except for its last chunks, which are returned. */
async function writeYielding(
  exchange: HttpExchange,
  chunks: Chunks,
  { length, release }: KnownBody,
): Promise<readonly Buffer[]> {
  let inTurn: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    inTurn.push(chunk);
    size += chunk.length;
    if (size < turnBytes || length <= oneTurnBytes) continue;
    const turn = turnByteLimit.take(size);
    if (turn) await turn;
    const isSent = isSentOnceDrained(exchange.response);
    const waited = await writeChunks(exchange, inTurn);
    if (!waited) await nextTurn();
    else if (isSent && release) for (const sent of inTurn) release(sent);
    inTurn = [];
    size = 0;
  }
  const turn = size > 0 ? turnByteLimit.take(size) : undefined;
  if (turn) await turn;
  return inTurn;
}

/**
 * True if the memory of chunks may be used again once the response has room: nothing waits for an
 * earlier response, and no reader gets the chunks themselves.
 */
function isSentOnceDrained({ socket, passesChunks }: HttpResponse): boolean {
  return socket !== null && !passesChunks;
}

/** Writes a body chunk by chunk. Returns the rest of it: nothing. */
async function writeEach(exchange: HttpExchange, chunks: Chunks): Promise<readonly Buffer[]> {
  for await (const chunk of chunks) await writeChunks(exchange, [chunk]);
  return [];
}
