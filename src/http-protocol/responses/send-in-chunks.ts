import type { HttpExchange } from '../requests/http-exchange.ts';
import { gzipThresholdBytes, sendBytes } from './send-bytes.ts';
import { streamResponse } from './stream-response.ts';

/** A response that is encoded while it is sent. */
interface FormattedResponse {
  readonly status: number;
  readonly contentType: string;
  readonly chunks: AsyncGenerator<Buffer, void, undefined>;
}

/**
 * Sends a response from a generator of chunks. A short response is sent in one piece. A long one is
 * sent as the client reads it, so that only some chunks are in memory for a slow client. An error
 * after the start of a long response closes its connection.
 */
export async function sendInChunks(exchange: HttpExchange, { chunks, ...answer }: FormattedResponse): Promise<void> {
  try {
    const first: Buffer[] = [];
    for (let size = 0; size <= gzipThresholdBytes; ) {
      const next = await chunks.next();
      exchange.signal.throwIfAborted();
      if (next.done) return await sendBytes(exchange, { ...answer, body: Buffer.concat(first) });
      first.push(next.value);
      size += next.value.length;
    }
    await streamResponse(exchange, { ...answer, body: rest(first, chunks) });
  } finally {
    await chunks.return();
  }
}

async function* rest(first: Buffer[], chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  for (let chunk = first.shift(); chunk; chunk = first.shift()) yield chunk;
  yield* chunks;
}
