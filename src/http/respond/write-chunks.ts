import type { Exchange } from '../request/exchange.ts';
import { drained } from './drained.ts';

/**
 * Writes chunks of an answer whose head is sent and waits until its reader has room for more. Every streamed body but a watch's is
 * written here. Throws the reason of a request that is over, `ClientGone` where the connection closes meanwhile.
 */
export async function writeChunks({ response, signal }: Exchange, chunks: readonly Buffer[]): Promise<void> {
  signal.throwIfAborted();
  let hasRoom = true;
  for (const chunk of chunks) hasRoom = response.write(chunk);
  if (!hasRoom) await drained(response);
}

/** Writes the last chunks of an answer and ends it, without waiting for its reader. Throws the reason of a request that is over. */
export function endWithChunks({ response, signal }: Exchange, chunks: readonly Buffer[]): void {
  signal.throwIfAborted();
  for (const chunk of chunks) response.write(chunk);
  response.end();
}
