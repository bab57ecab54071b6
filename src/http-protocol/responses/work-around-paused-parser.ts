import { TLSSocket } from 'node:tls';
import type { HttpExchange } from '../requests/http-exchange.ts';

/**
 * The minimum size of responses that need the workaround below. Node's server pauses the parser of
 * a connection with 16 KiB of unsent responses; several responses of this size can add up to that.
 */
export const largeResponseBytes = 4 * 1024;

/**
 * Works around a bug of Node 20: a request body that arrives while a large response is being sent
 * can be refused as malformed (HPE_PAUSED). Node's HTTP/1.1 server then pauses its parser, but a
 * parser that reads from the socket handle directly, which is faster, still gets data. A `data`
 * listener on the socket makes it read from the stream, which can be paused. Affects TLS
 * connections only. To be called before a large response is started; after that, data that has
 * already arrived would not be read.
 */
export function workAroundPausedParser({ request, response }: HttpExchange): void {
  const socket = response.stream ? undefined : request.socket;
  if (!(socket instanceof TLSSocket)) return;
  if (socket.listenerCount('data', ignore) === 0) socket.on('data', ignore);
}

function ignore(): void {}
