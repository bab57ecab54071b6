import { type IncomingMessage, ServerResponse } from 'node:http';
import type { OpenRequests } from '../../http-protocol/requests/open-requests.ts';

/**
 * Calls `serve` when all requests before an upgrade request on its connection have their
 * responses; at once if none is open. Never calls it if the connection is closed before. At an
 * upgrade, Node's server removes its listeners from the socket, but still writes the earlier
 * responses.
 */
export function afterEarlierResponses(request: IncomingMessage, requests: OpenRequests, serve: () => void): void {
  const { socket } = request;
  // Usually no request is open, so that the search of all requests is avoided.
  const open = isFree(request) ? [] : requests.ofConnection(socket);
  const last = open.at(-1);
  if (!last) return serve();
  // Node's own listener emits this event for the response that waits for it.
  const drained = (): void => {
    for (const { response } of open) if (response instanceof ServerResponse) response.emit('drain');
  };
  socket.on('drain', drained).on('error', ignore);
  last.onEnd(() => {
    // Node closes the connection after a response with `Connection: close`.
    if (socket.destroyed || socket.writableEnded) return;
    // Node has started its timeout of idle connections.
    socket.setTimeout(0).removeAllListeners('data');
    socket.off('drain', drained).off('error', ignore);
    serve();
  });
}

function ignore(): void {}

/** Reports whether no response uses the connection. */
function isFree(request: IncomingMessage): boolean {
  const response = new ServerResponse(request);
  try {
    response.assignSocket(request.socket);
  } catch {
    return false;
  }
  response.detachSocket(request.socket);
  return true;
}
