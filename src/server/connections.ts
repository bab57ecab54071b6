import type { Http2Session, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { OpenRequests } from '../http/request/open-requests.ts';
import { clientNetwork } from './client-network.ts';
import { SessionLife } from './session-life.ts';

/** What bounds connections. */
export interface ConnectionLimits {
  /** Open connections; those beyond it are closed as soon as they are accepted. */
  readonly maxConnections: number;
  /** Open connections of one client network (`clientNetwork`), so that one client cannot lock out all others. */
  readonly maxConnectionsPerAddress: number;
  /** How long a connection may be open without a request. */
  readonly idleTimeoutMs: number;
  /** How long a client may take for the first bytes of its requests: the headers of HTTP/1.1, the preface of HTTP/2. */
  readonly headersTimeoutMs: number;
  /** A connection of HTTP/2 whose reader takes nothing for so long, although something waits for it, is closed; 0 never. */
  readonly stuckReaderMs: number;
}

interface Connection {
  readonly socket: Socket;
  /** Whether its TLS handshake is complete. */
  secure: boolean;
  /** Of HTTP/2 alone; Node looks after idle connections of HTTP/1.1. */
  life: SessionLife | undefined;
}

/** The part of a socket that names the peer. */
type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/** The events of a TLS server that also speaks HTTP/2. */
interface ConnectionSource {
  maxConnections: number;
  on(event: 'connection', listener: (socket: Socket) => void): unknown;
  on(event: 'secureConnection', listener: (socket: TLSSocket) => void): unknown;
  on(event: 'session', listener: (session: ServerHttp2Session) => void): unknown;
}

/** How often connections are looked at, at most; a check costs some property reads for each. */
const longestCheckMs = 5_000;

/** A check in each turn would do nothing else. */
const shortestCheckMs = 20;

/**
 * The open connections of a listener, from the moment that TCP accepts them. A connection is in this table before its TLS
 * handshake begins, so that no handshake can end unnoticed while the server stops.
 */
export class Connections {
  /** By the peer's address and port: the one thing that a TCP socket and the TLS socket on it have in common. */
  readonly #open = new Map<string, Connection>();
  /** How many each client network has. */
  readonly #perNetwork = new Map<string, number>();
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #limits: ConnectionLimits;
  readonly #requests: OpenRequests;
  readonly #timer: NodeJS.Timeout;
  #refusing = false;

  constructor(source: ConnectionSource, requests: OpenRequests, limits: ConnectionLimits) {
    this.#limits = limits;
    this.#requests = requests;
    source.maxConnections = limits.maxConnections;
    source.on('connection', (socket) => this.#add(socket));
    source.on('secureConnection', (socket) => this.#secured(socket));
    source.on('session', (session) => this.#began(session));
    const checkMs = Math.max(
      shortestCheckMs,
      Math.min(longestCheckMs, limits.idleTimeoutMs / 4, limits.headersTimeoutMs / 4),
    );
    this.#timer = setInterval(() => this.#check(), checkMs).unref();
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
    clearInterval(this.#timer);
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
    const { remoteAddress } = socket;
    // A peer that is gone already has no address any more.
    if (this.#refusing || remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    const network = clientNetwork(remoteAddress);
    const others = this.#perNetwork.get(network) ?? 0;
    if (others >= this.#limits.maxConnectionsPerAddress) {
      socket.destroy();
      return;
    }
    const peer = nameOf(socket);
    const connection: Connection = { socket, secure: false, life: undefined };
    this.#open.set(peer, connection);
    this.#perNetwork.set(network, others + 1);
    socket.once('close', () => {
      // The peer may have come again from the same port before this event.
      if (this.#open.get(peer) === connection) this.#open.delete(peer);
      this.#leave(network);
    });
  }

  #leave(network: string): void {
    const rest = (this.#perNetwork.get(network) ?? 1) - 1;
    if (rest === 0) this.#perNetwork.delete(network);
    else this.#perNetwork.set(network, rest);
  }

  #secured(socket: TLSSocket): void {
    const connection = this.#open.get(nameOf(socket));
    if (connection) connection.secure = true;
    if (this.#refusing) socket.destroy();
  }

  #began(session: ServerHttp2Session): void {
    this.#sessions.add(session);
    session.once('close', () => this.#sessions.delete(session));
    if (this.#refusing) {
      session.destroy();
      return;
    }
    const connection = this.#open.get(nameOf(session.socket));
    if (connection) connection.life = new SessionLife(session, connection.socket, this.#limits);
  }

  #check(): void {
    const busy = new Set<Http2Session>();
    this.#requests.forEach(({ response: { stream } }) => {
      if (stream?.session) busy.add(stream.session);
    });
    const nowMs = performance.now();
    for (const { life } of this.#open.values()) life?.check(nowMs, busy);
  }
}

function nameOf({ remoteAddress, remotePort }: Peer): string {
  return `${remoteAddress}|${remotePort}`;
}
