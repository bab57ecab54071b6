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
