import { ServerResponse } from 'node:http';
import type { Exchange } from '../request/exchange.ts';
import type { HttpResponse } from '../request/http-message.ts';
import { drainedFor } from './drained.ts';

/** A part of a streamed answer that many readers are sent. */
export interface Chunk {
  readonly bytes: Buffer;
  /** The same between what HTTP/1.1 has around a chunk (RFC 9112, 7.1): laid out once for all readers. */
  readonly framed: Buffer;
}

const lineEnd = Buffer.from('\r\n');

/** Joins parts into a chunk. There must be at least one byte: none would end the answer. */
export function joinChunk(parts: readonly Buffer[]): Chunk {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.from(`${length.toString(16)}\r\n`, 'latin1');
  const framed = Buffer.concat([head, ...parts, lineEnd]);
  return { bytes: framed.subarray(head.length, head.length + length), framed };
}

/**
 * Writes a chunk of an answer whose head is sent. Answers false where `roomFor` should be waited for. To a socket of HTTP/1.1 it goes
 * as it is: Node makes three writes of a chunk, corks the socket for them and joins them again in another turn.
 */
export function writeChunk(response: HttpResponse, chunk: Chunk): boolean {
  const socket = chunkedSocket(response);
  return socket ? socket.write(chunk.framed) : response.write(chunk.bytes);
}

/** Waits until there is room for more. Throws the reason for which the exchange ends instead. */
export function roomFor(exchange: Exchange): Promise<void> {
  return drainedFor(exchange, chunkedSocket(exchange.response) ?? exchange.response);
}

/** Undefined for HTTP/2 and HTTP/1.0, and while an earlier answer has the connection. */
function chunkedSocket(response: HttpResponse) {
  return response instanceof ServerResponse && response.chunkedEncoding ? response.socket : undefined;
}
