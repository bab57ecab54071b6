import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { applyServerLimits, http1Settings } from '../http/server-settings.ts';
import type { ConnectionLimits } from './connections.ts';
import { connectedSockets, type DirectSocket } from './direct-socket.ts';

/** The connections of clients in the same process: HTTP/1.1 without a socket and without TLS. */
export class DirectConnections {
  readonly #server: Server;
  readonly #open = new Set<DirectSocket>();
  #refusing = false;

  /** `serve` adds the listeners of requests. The server never listens on a port. */
  constructor(limits: ConnectionLimits, serve: (server: Server) => void) {
    this.#server = createServer({ ...http1Settings });
    applyServerLimits(this.#server, limits);
    serve(this.#server);
  }

  /** Opens a connection and returns the client's end. Throws if the server is closing. */
  open(): Duplex {
    if (this.#refusing) throw Object.assign(new Error('the server is closed'), { code: 'ECONNREFUSED' });
    const [client, socket] = connectedSockets();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    this.#server.emit('connection', socket);
    return client;
  }

  refuseNew(): void {
    this.#refusing = true;
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
