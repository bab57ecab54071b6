import { constants, type ServerHttp2Stream } from 'node:http2';
import type { HttpRequest } from '../messages/http-message.ts';
import { IncomingMessage } from 'node:http';
import { closeAfterResponse } from './close-after-response.ts';
import type { HttpExchange } from './http-exchange.ts';
import { waitsForContinue } from './expect-continue.ts';

/** The most of an unread body that is read, so that its connection serves further requests. */
const keptBytes = 256 * 1024;

/**
 * Prepares the response to a request of HTTP/1.1 whose body is not read: unless little of it is
 * left, the response is the last one of its connection. The client can read it although it goes on
 * sending. Over HTTP/2 see `endUnreadBody`.
 */
export function closeOverUnreadBody({ request, response }: HttpExchange): void {
  if (!(request instanceof IncomingMessage) || request.complete) return;
  const { headers, socket } = request;
  const declared = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
  if (declared === 0) return;
  // Node's own would close the connection with unread bytes.
  socket.destroySoon = () => closeAfterResponse(socket);
  // A client that waits to be asked for its body need not send it.
  if (declared > keptBytes || waitsForContinue(request)) response.setHeader('Connection', 'close');
}

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
