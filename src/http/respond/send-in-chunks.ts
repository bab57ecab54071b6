import type { Exchange } from '../request/exchange.ts';
import { gzipThresholdBytes, sendBytes } from './send-bytes.ts';
import { streamAnswer } from './stream-answer.ts';

/** An answer that is formatted while it is sent. */
interface FormattedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly chunks: AsyncGenerator<Buffer, void, undefined>;
}

/**
 * Sends an answer that is made chunk by chunk: in one piece where it is short, else as its reader
 * takes it, so that a slow reader holds no more than some chunks. An error in the midst of a long
 * answer breaks its connection.
 */
export async function sendInChunks(exchange: Exchange, { chunks, ...answer }: FormattedAnswer): Promise<void> {
  try {
    const first: Buffer[] = [];
    for (let size = 0; size <= gzipThresholdBytes; ) {
      const next = await chunks.next();
      exchange.signal.throwIfAborted();
      if (next.done) return await sendBytes(exchange, { ...answer, body: Buffer.concat(first) });
      first.push(next.value);
      size += next.value.length;
    }
    await streamAnswer(exchange, { ...answer, body: rest(first, chunks) });
  } finally {
    await chunks.return();
  }
}

async function* rest(first: Buffer[], chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  for (let chunk = first.shift(); chunk; chunk = first.shift()) yield chunk;
  yield* chunks;
}
