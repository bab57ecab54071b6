import type { HttpExchange } from '../requests/http-exchange.ts';
import { drainedFor } from './drained.ts';

/**
 * Writes chunks of a response whose headers are sent and waits until the client has room for more.
 * Used for every streamed body except those of watches. Returns true if it had to wait. Throws the
 * abort reason of the request; `ClientGone` if the connection closes.
 */
export async function writeChunks(exchange: HttpExchange, chunks: readonly Buffer[]): Promise<boolean> {
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
 * Writes the last chunks of a response and ends it, without waiting for the client. Throws the
 * abort reason of the request.
 */
export function endWithChunks(exchange: HttpExchange, chunks: readonly Buffer[]): void {
  const { response, signal } = exchange;
  signal.throwIfAborted();
  for (const chunk of chunks) {
    response.write(chunk);
    exchange.sentBytes += chunk.length;
  }
  response.end();
}
