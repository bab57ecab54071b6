import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpRequest } from './http-message.ts';

/** A request for an upgrade, detached from Node's server. */
interface UpgradeParts {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The bytes that arrived after the header of the request. */
  readonly head: Buffer;
  /** Lets the socket be read. */
  readonly release: () => void;
}

/**
 * An HTTP/1.1 request for a protocol upgrade. Unless it is accepted, it gets an ordinary response,
 * after which the connection is closed.
 */
export class Upgrade {
  /** The offered protocols, as sent by the client. */
  readonly protocol: string;
  readonly #socket: Socket;
  readonly #head: Buffer;
  readonly #response: ServerResponse;
  readonly #release: () => void;
  #accepted = false;

  constructor({ request, response, head, release }: UpgradeParts) {
    this.protocol = request.headers.upgrade ?? '';
    this.#socket = request.socket;
    this.#head = head;
    this.#response = response;
    this.#release = release;
  }

  /** True once the connection uses the other protocol. */
  get accepted(): boolean {
    return this.#accepted;
  }

  /**
   * Answers 101 with the given headers (names and values alternately) and returns the socket. The
   * caller owns the socket: it reads from the first byte of the other protocol, counts the sent
   * bytes (`sentBytes`), handles errors, and destroys the socket at the end or when the signal of
   * the exchange aborts. The exchange ends with the socket. Throws if a response was started.
   */
  accept(protocol: string, headers: readonly string[] = []): Socket {
    if (this.#accepted || this.#response.headersSent) throw new Error('the upgrade request has already been answered');
    this.#accepted = true;
    this.#response.writeHead(101, ['Connection', 'Upgrade', 'Upgrade', protocol, ...headers]);
    this.#response.end();
    this.#response.detachSocket(this.#socket);
    this.#release();
    if (this.#head.length > 0) this.#socket.unshift(this.#head);
    return this.#socket;
  }
}

const upgrades = new WeakMap<HttpRequest, Upgrade>();

/** Registers the upgrade of a request. */
export function noteUpgrade(request: HttpRequest, upgrade: Upgrade): void {
  upgrades.set(request, upgrade);
}

/** Returns the upgrade of a request; undefined for an ordinary one. */
export function upgradeOf(request: HttpRequest): Upgrade | undefined {
  return request.headers.upgrade === undefined ? undefined : upgrades.get(request);
}
