import { TLSSocket } from 'node:tls';
import type { Exchange } from '../request/exchange.ts';

/** Answers from this size on may lie in the socket, and Node's server pauses connections with 16 KiB of them. */
export const largeAnswerBytes = 4 * 1024;

/**
 * Has what comes from now on, on a connection of HTTP/1.1, pass through its stream, by a listener that Node's parser gives way to. A
 * parser that takes it from the socket itself, which is cheaper, cannot be held up: while the last bytes of large answers are on their way, Node's
 * server pauses it, and the body of a request that follows at once is refused as malformed (Node 20, HPE_PAUSED). To be called before such an
 * answer begins; later, what has come would stand still.
 */
export function readAsStream({ request, response }: Exchange): void {
  // HTTP/2 makes a substitute of its socket for whoever asks.
  const socket = response.stream ? undefined : request.socket;
  if (!(socket instanceof TLSSocket)) return;
  if (socket.listenerCount('data', ignore) === 0) socket.on('data', ignore);
}

function ignore(): void {}
