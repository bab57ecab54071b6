import { constants, type ServerHttp2Stream } from 'node:http2';
import type { HttpRequest } from './http-message.ts';

/**
 * Over HTTP/2, tells a client that has its whole answer to stop sending the body, of which nobody reads the rest (RFC 9113,
 * 8.1). Node does so by itself only where no reading had begun; without it the client waits for room in its window
 * until it gives up. HTTP/1.1 reads on or closes the connection.
 */
export function endUnreadBody(request: HttpRequest): void {
  if (!('stream' in request) || request.stream.endAfterHeaders) return;
  const { stream } = request;
  // A turn later the end of the answer is out; a reset in the same turn would leave the client waiting for it.
  stream.once('finish', () => setImmediate(closeUnread, stream));
}

function closeUnread(stream: ServerHttp2Stream): void {
  if (!stream.readableEnded && !stream.closed) stream.close(constants.NGHTTP2_NO_ERROR);
}

/**
 * Throws away the body of a request whose handler reads none. Over HTTP/2, Node would keep up to a
 * window of it for each stream, a mebibyte, which no budget counts. Over HTTP/1.1 it keeps some KiB
 * for each connection.
 */
export function discardUnreadBody(request: HttpRequest): void {
  if (!('stream' in request) || request.stream.endAfterHeaders || request.readableFlowing !== null) return;
  request.resume();
}
