import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpRequest } from './http-message.ts';

/**
 * A request of HTTP/1.1 to speak another protocol on its connection. Until it is accepted the
 * answer is an ordinary one, after which the connection is closed.
 */
export class Upgrade {
  /** The protocols that the client offers, as it sent them. */
  readonly protocol: string;
  readonly #socket: Socket;
  readonly #head: Buffer;
  readonly #response: ServerResponse;
  #accepted = false;

  constructor(request: IncomingMessage, response: ServerResponse, head: Buffer) {
    this.protocol = request.headers.upgrade ?? '';
    this.#socket = request.socket;
    this.#head = head;
    this.#response = response;
  }

  /** True once the connection speaks the other protocol. */
  get accepted(): boolean {
    return this.#accepted;
  }

  /**
   * Answers 101 with these headers, names and values in turn, and returns the connection. The
   * caller owns it: it reads from the first byte of the other protocol on, counts what it sends
   * (`sentBytes`), listens to errors and destroys the socket at the end or when the signal of the
   * exchange aborts. The exchange ends with the socket.
   */
  accept(protocol: string, headers: readonly string[] = []): Socket {
    if (this.#accepted || this.#response.headersSent) throw new Error('the request for an upgrade is answered already');
    this.#accepted = true;
    this.#response.writeHead(101, ['Connection', 'Upgrade', 'Upgrade', protocol, ...headers]);
    this.#response.end();
    this.#response.detachSocket(this.#socket);
    if (this.#head.length > 0) this.#socket.unshift(this.#head);
    return this.#socket;
  }
}

const upgrades = new WeakMap<HttpRequest, Upgrade>();

/** Notes that a request arrived as an upgrade. */
export function noteUpgrade(request: HttpRequest, upgrade: Upgrade): void {
  upgrades.set(request, upgrade);
}

/** The upgrade that a request is; undefined for an ordinary one. */
export function upgradeOf(request: HttpRequest): Upgrade | undefined {
  return request.headers.upgrade === undefined ? undefined : upgrades.get(request);
}
