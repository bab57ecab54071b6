import { constants, type ServerHttp2Stream } from 'node:http2';
import type { HttpRequest } from '../messages/http-message.ts';

/**
 * Over HTTP/2, ends the request stream without an error once the response is complete, so that the
 * client stops sending a body that is not read (RFC 9113, 8.1). Node does this only if reading has
 * not started. Otherwise the client would wait for its window until a timeout. HTTP/1.1 reads the
 * rest or closes the connection.
 */
export function endUnreadBody(request: HttpRequest): void {
  if (!('stream' in request) || request.stream.endAfterHeaders) return;
  // `on` instead of `once`: the event is emitted once anyway, and `on` is cheaper.
  request.stream.on('finish', closeIfUnread);
}

/** The listener of a stream. Usually the body has been read by then. */
function closeIfUnread(this: ServerHttp2Stream): void {
  // Delayed by one turn, so that the end of the response is sent first. After a reset in the same
  // turn the client would wait for it forever.
  if (!this.readableEnded) setImmediate(closeUnread, this);
}

function closeUnread(stream: ServerHttp2Stream): void {
  if (!stream.readableEnded && !stream.closed) stream.close(constants.NGHTTP2_NO_ERROR);
}

/**
 * Discards the body of a request whose handler does not read it. Over HTTP/2, Node would otherwise
 * buffer up to a window of 1 MiB for each stream, which no budget counts. Over HTTP/1.1 it buffers
 * only some KiB for each connection.
 */
export function discardUnreadBody(request: HttpRequest): void {
  if (!('stream' in request)) return;
  const { stream } = request;
  if (!stream.endAfterHeaders && stream.readableFlowing === null) stream.resume();
}
