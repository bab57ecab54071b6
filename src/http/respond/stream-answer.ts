import { nextTurn } from '../../async/next-turn.ts';
import type { Exchange } from '../request/exchange.ts';
import { acceptsGzip } from './accepts-gzip.ts';
import { admitAnswer } from './admit-answer.ts';
import { gzipped } from './gzipped.ts';
import { readAsStream } from './read-as-stream.ts';
import { gzipThresholdBytes } from './send-bytes.ts';
import { standardHeaders } from './standard-headers.ts';
import { endWithChunks, writeChunks } from './write-chunks.ts';

/**
 * How much of a body that is in memory is written at a time: enough to be efficient, little enough
 * to share the loop.
 */
const turnBytes = 512 * 1024;

/**
 * Bodies up to this length are written in one turn, which is half a millisecond: more turns would
 * cost more.
 */
const oneTurnBytes = 2 * turnBytes;

/** An answer whose body is not in one piece. */
interface StreamedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: KnownBody | AsyncIterable<Buffer>;
}

/** A body of which each chunk is there when it is taken, and whose length is known before. */
export interface KnownBody {
  readonly length: number;
  readonly chunks: Iterable<Buffer>;
  /** True where all of it is in memory for this answer alone, until its reader has taken it. */
  readonly held?: boolean;
}

/**
 * Sends an answer chunk by chunk, as its reader takes them; compressed for a reader that takes gzip
 * where that pays. A body that is not as long as it should be fails, so that its connection is
 * broken: a reader never takes it for whole. Does nothing when an answer has begun already.
 */
export async function streamAnswer(exchange: Exchange, { status, contentType, body }: StreamedAnswer): Promise<void> {
  const { request, response } = exchange;
  if (response.headersSent) return;
  const known = 'chunks' in body ? body : undefined;
  const long = !known || known.length > gzipThresholdBytes;
  const compress = long && acceptsGzip(request.headers['accept-encoding']);
  const headers = standardHeaders(exchange, contentType);
  if (compress) headers.push('Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding');
  else if (known) headers.push('Content-Length', String(known.length));
  admitAnswer(exchange, known ? heldBytes(known) : turnBytes);
  readAsStream(exchange);
  response.writeHead(status, headers);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const chunks = 'chunks' in body ? exactly(body) : body;
  if (!compress && known) await writeInTurns(exchange, chunks, known.length);
  else await writeEach(exchange, compress ? gzipped(chunks) : chunks);
}

/**
 * Of a streamed body only what is written at a time is held for the reader, if it was there before.
 */
function heldBytes({ length, held = false }: KnownBody): number {
  return held ? length : Math.min(length, oneTurnBytes);
}

/**
 * The chunks of a body. Throws as soon as they are longer than they should be together, or at their
 * end when shorter.
 */
function* exactly({ length, chunks }: KnownBody): Generator<Buffer> {
  let written = 0;
  for (const chunk of chunks) {
    written += chunk.length;
    if (written > length) throw new Error(`an answer of ${length} bytes is longer than that`);
    yield chunk;
  }
  if (written !== length) throw new Error(`an answer of ${length} bytes has only ${written}`);
}

type Chunks = Iterable<Buffer> | AsyncIterable<Buffer>;

async function writeInTurns(exchange: Exchange, chunks: Chunks, length: number): Promise<void> {
  let inTurn: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    inTurn.push(chunk);
    size += chunk.length;
    if (size < turnBytes || length <= oneTurnBytes) continue;
    const waited = await writeChunks(exchange, inTurn);
    if (!waited) await nextTurn();
    inTurn = [];
    size = 0;
  }
  endWithChunks(exchange, inTurn);
}

async function writeEach(exchange: Exchange, chunks: Chunks): Promise<void> {
  for await (const chunk of chunks) await writeChunks(exchange, [chunk]);
  endWithChunks(exchange, []);
}
