import { constants, type Http2Session, type ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterPoll, pause } from '../async/timers.ts';
import type { OpenRequests } from '../http-protocol/requests/open-requests.ts';
import type { ConnectionNumbers } from '../config/siblings.ts';
import { clientNetwork } from './client-network.ts';
import { SessionLife } from './session-life.ts';

/** The limits of connections. */
export interface ConnectionLimits extends ConnectionNumbers {
  /** How long a connection may be open without a request. */
  readonly idleTimeoutMs: number;
  /** Timeout for the first bytes of a client: the headers in HTTP/1.1, the preface in HTTP/2. */
  readonly headersTimeoutMs: number;
  /** Timeout for a whole request over HTTP/1.1, with its body. */
  readonly receiveTimeoutMs: number;
  /**
   * How long an HTTP/2 client may take no bytes while some are queued before its connection is
   * closed; 0: never.
   */
  readonly stuckReaderMs: number;
}

interface Connection {
  readonly socket: Socket;
  /** True when the TLS handshake is complete. */
  secure: boolean;
  /** For HTTP/2 only; Node closes idle connections of HTTP/1.1. */
  life: SessionLife | undefined;
}

/** The part of a socket that identifies the peer. */
type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/** The events of a TLS server that also speaks HTTP/2. */
interface ConnectionSource {
  maxConnections: number;
  on(event: 'connection', listener: (socket: Socket) => void): unknown;
  on(event: 'secureConnection', listener: (socket: TLSSocket) => void): unknown;
  on(event: 'session', listener: (session: ServerHttp2Session) => void): unknown;
}

/**
 * Longest interval between checks of the connections; a check costs some property reads for each.
 */
const longestCheckMs = 5_000;

/** Shortest interval between checks, so that they do not use up the event loop. */
const shortestCheckMs = 20;

/** The last stream of a GOAWAY that refuses none yet (RFC 9113, 6.8). */
const laterStreams = 2 ** 31 - 1;

const handOverCheckMs = 25;

/**
 * The open connections of a listener. A connection is registered when TCP accepts it, before the
 * TLS handshake, so that a handshake that ends during a stop is noticed.
 */
export class Connections {
  /**
   * By address and port of the peer, which are the same for a TCP socket and the TLS socket on
   * it.
   */
  readonly #open = new Map<string, Connection>();
  /** The number of connections for each client network. */
  readonly #perNetwork = new Map<string, number>();
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #limits: ConnectionLimits;
  readonly #requests: OpenRequests;
  readonly #timer: NodeJS.Timeout;
  #leaving = false;
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
    this.#timer = setInterval(() => afterPoll(() => this.#check()), checkMs).unref();
  }

  /** The number of open connections. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Ends each connection with its next response, and sends GOAWAY to HTTP/2 clients. Requests that
   * are on the way are still accepted. Resolves when no more can come, or after `timeoutMs`.
   */
  async handOver(timeoutMs: number): Promise<void> {
    this.#leaving = true;
    this.#requests.endConnections();
    for (const session of this.#sessions) announceEnd(session);
    const endMs = performance.now() + timeoutMs;
    while (performance.now() < endMs && this.#mayRequest()) await pause(handOverCheckMs);
  }

  /** True if a request can come: not if all connections are HTTP/1.1 with their last request. */
  #mayRequest(): boolean {
    let last = 0;
    this.#requests.forEach(({ response: { stream } }) => {
      if (!stream) last++;
    });
    return this.#open.size > last;
  }

  /**
   * Destroys connections in their handshake and all later ones. Sends GOAWAY to HTTP/2 sessions,
   * which finish their open streams.
   */
  refuseNew(): void {
    this.#refusing = true;
    clearInterval(this.#timer);
    for (const { socket, secure } of this.#open.values()) if (!secure) socket.destroy();
    for (const session of this.#sessions) session.close();
  }

  /**
   * Waits at most `timeoutMs` until all HTTP/2 sessions are closed: the response of a closed
   * stream may still be in the buffers of its session.
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

  /** Destroys all connections immediately. */
  destroyAll(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }

  #add(socket: Socket): void {
    const { remoteAddress } = socket;
    // A socket whose peer is gone has no address.
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
      // The peer may have reconnected from the same port before this event.
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
    if (this.#leaving) announceEnd(session);
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

/** Tells a client to send no more requests, without refusing those that are on the way. */
function announceEnd(session: ServerHttp2Session): void {
  session.goaway(constants.NGHTTP2_NO_ERROR, laterStreams);
}

function nameOf({ remoteAddress, remotePort }: Peer): string {
  return `${remoteAddress}|${remotePort}`;
}
