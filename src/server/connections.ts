import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

interface Connection {
  readonly socket: Socket;
  /** Whether its TLS handshake is complete. */
  secure: boolean;
}

/** The part of a socket that names the peer. */
type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/** The events of a TLS server that also speaks HTTP/2. */
interface ConnectionSource {
  on(event: 'connection', listener: (socket: Socket) => void): unknown;
  on(event: 'secureConnection', listener: (socket: TLSSocket) => void): unknown;
  on(event: 'session', listener: (session: ServerHttp2Session) => void): unknown;
}

/**
 * The open connections of a listener, from the moment that TCP accepts them. A connection is in this table before its TLS
 * handshake begins, so that no handshake can end unnoticed while the server stops.
 */
export class Connections {
  /** By the peer's address and port: the one thing that a TCP socket and the TLS socket on it have in common. */
  readonly #open = new Map<string, Connection>();
  readonly #sessions = new Set<ServerHttp2Session>();
  #refusing = false;

  constructor(source: ConnectionSource) {
    source.on('connection', (socket) => this.#add(socket));
    source.on('secureConnection', (socket) => this.#secured(socket));
    source.on('session', (session) => this.#began(session));
  }

  /** The number of open connections. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Destroys the connections whose handshake is not complete, and every connection that comes later; sends GOAWAY to the
   * sessions of HTTP/2, which finish the streams that they have.
   */
  refuseNew(): void {
    this.#refusing = true;
    for (const { socket, secure } of this.#open.values()) if (!secure) socket.destroy();
    for (const session of this.#sessions) session.close();
  }

  /**
   * Waits until every session of HTTP/2 has sent its last answers and is closed, at most `timeoutMs`: the answer of a closed stream may
   * still be in the session's buffers.
   */
  async sessionsClosed(timeoutMs: number): Promise<void> {
    if (this.#sessions.size === 0 || timeoutMs <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      for (const session of this.#sessions) {
        session.once('close', () => {
          if (this.#sessions.size > 0) return;
          clearTimeout(timer);
          resolve();
        });
      }
    });
  }

  /** Destroys every connection, whatever it is doing. */
  destroyAll(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }

  #add(socket: Socket): void {
    // A peer that is gone already has no address any more.
    if (this.#refusing || socket.remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    const peer = nameOf(socket);
    const connection: Connection = { socket, secure: false };
    this.#open.set(peer, connection);
    socket.once('close', () => {
      // The peer may have come again from the same port before this event.
      if (this.#open.get(peer) === connection) this.#open.delete(peer);
    });
  }

  #secured(socket: TLSSocket): void {
    const connection = this.#open.get(nameOf(socket));
    if (connection) connection.secure = true;
    if (this.#refusing) socket.destroy();
  }

  #began(session: ServerHttp2Session): void {
    this.#sessions.add(session);
    session.once('close', () => this.#sessions.delete(session));
    if (this.#refusing) session.destroy();
  }
}

function nameOf({ remoteAddress, remotePort }: Peer): string {
  return `${remoteAddress}|${remotePort}`;
}
