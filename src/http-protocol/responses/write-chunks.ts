import type { HttpExchange } from '../requests/http-exchange.ts';
import { drainedFor } from './drained.ts';
import { ServerResponse } from 'node:http';
import type { HttpResponse } from '../messages/http-message.ts';

/** A chunk of a streamed response that many clients are sent. */
export interface Chunk {
  readonly bytes: Buffer;
  /** The chunk with its HTTP/1.1 framing (RFC 9112, 7.1), created once for all clients. */
  readonly framed: Buffer;
}

const lineEnd = Buffer.from('\r\n');

/**
 * Joins parts into a chunk. It must have at least one byte: an empty chunk would end the response.
 */
export function joinChunk(parts: readonly Buffer[]): Chunk {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.from(`${length.toString(16)}\r\n`, 'latin1');
  const framed = Buffer.concat([head, ...parts, lineEnd]);
  return { bytes: framed.subarray(head.length, head.length + length), framed };
}

/**
 * Writes a chunk of a response whose headers are sent. Returns false if the caller should wait for
 * `roomFor`. On HTTP/1.1 the framed chunk is written to the socket directly: Node would make three
 * writes, cork the socket for them and join them in another turn.
 */
export function writeChunk(response: HttpResponse, chunk: Chunk): boolean {
  const socket = chunkedSocket(response);
  return socket ? socket.write(chunk.framed) : response.write(chunk.bytes);
}

/** Waits until there is room for more. Throws the abort reason if the exchange ends first. */
export function roomFor(exchange: HttpExchange): Promise<void> {
  return drainedFor(exchange, chunkedSocket(exchange.response) ?? exchange.response);
}

/**
 * The socket to write chunks to; undefined for HTTP/2 and HTTP/1.0, and while an earlier response
 * uses the connection.
 */
function chunkedSocket(response: HttpResponse) {
  return response instanceof ServerResponse && response.chunkedEncoding ? response.socket : undefined;
}

/**
 * Writes chunks of a response whose headers are sent and waits until the client has room for more.
 * Used for every streamed body except the bodies of watches. Returns true if it had to wait. Throws
 * the abort reason of the request; `ClientGone` if the connection closes.
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
