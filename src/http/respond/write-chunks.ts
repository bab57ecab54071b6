import type { Exchange } from '../request/exchange.ts';
import { drainedFor } from './drained.ts';

/**
 * Writes chunks of an answer whose head is sent and waits until its reader has room for more. Every
 * streamed body but a watch's is written here. Resolves with whether it waited. Throws the reason
 * of a request that is over, `ClientGone` where the connection closes meanwhile.
 */
export async function writeChunks(exchange: Exchange, chunks: readonly Buffer[]): Promise<boolean> {
  const { response, signal } = exchange;
  signal.throwIfAborted();
  let hasRoom = true;
  for (const chunk of chunks) {
    hasRoom = response.write(chunk);
    exchange.sentBytes += chunk.length;
  }
  if (!hasRoom) await drainedFor(exchange, response);
  return !hasRoom;
}

/**
 * Writes the last chunks of an answer and ends it, without waiting for its reader. Throws the
 * reason of a request that is over.
 */
export function endWithChunks(exchange: Exchange, chunks: readonly Buffer[]): void {
  const { response, signal } = exchange;
  signal.throwIfAborted();
  for (const chunk of chunks) {
    response.write(chunk);
    exchange.sentBytes += chunk.length;
  }
  response.end();
}
