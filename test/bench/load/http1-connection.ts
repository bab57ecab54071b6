import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { LoadRequest, LoadTarget } from './http-client.ts';

const json = 'application/json';
const headerEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/** An answer on its way in. */
interface Pending {
  readonly path: string;
  readonly resolve: (body: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * HTTP/1.1 on one connection, one request at a time, with no more of the protocol than the servers under test speak. It costs about a
 * third of a whole client, so that not the load is what limits small requests.
 */
export class Http1Connection {
  readonly #socket: TLSSocket;
  readonly #head: string;
  #pending: Pending | undefined;
  #pieces: Buffer[] = [];
  #received = 0;
  /** Bytes of the whole answer; undefined before its head is read, Infinity when it is chunked. */
  #wanted: number | undefined;
  #bodyStart = 0;

  private constructor(socket: TLSSocket, head: string) {
    this.#socket = socket;
    this.#head = head;
    socket.on('data', (piece: Buffer) => this.#take(piece));
    socket.on('error', (error) => this.#pending?.reject(error));
    socket.on('close', () => this.#pending?.reject(new Error('the connection was closed')));
  }

  static async open({ url, headers }: LoadTarget): Promise<Http1Connection> {
    const { hostname, port } = new URL(url);
    const options = { host: hostname, port: Number(port), rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] };
    const socket = connect(options);
    socket.setNoDelay(true);
    await once(socket, 'secureConnect');
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return new Http1Connection(socket, `Host: ${hostname}\r\n${lines.join('')}`);
  }

  /** The body of the answer. Throws for a status of 300 or more. */
  send({ method = 'GET', path, type: contentType = json, accept = json, body = '' }: LoadRequest): Promise<Buffer> {
    const type = body ? `Content-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` : '';
    const head = `${method} ${path} HTTP/1.1\r\nAccept: ${accept}\r\n${this.#head}`;
    return new Promise((resolve, reject) => {
      this.#pending = { path, resolve, reject };
      this.#socket.write(`${head}${type}\r\n${body}`);
    });
  }

  close(): void {
    this.#pending = undefined;
    this.#socket.destroy();
  }

  #take(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#received += piece.length;
    if (this.#wanted === undefined) this.#readHead();
    if (this.#wanted === Infinity) {
      if (this.#endsChunks(piece)) this.#finish();
    } else if (this.#wanted !== undefined && this.#received >= this.#wanted) this.#finish();
  }

  #readHead(): void {
    const start = this.#pieces.length === 1 && this.#pieces[0] ? this.#pieces[0] : Buffer.concat(this.#pieces);
    const end = start.indexOf(headerEnd);
    if (end < 0) return;
    this.#bodyStart = end + headerEnd.length;
    const length = /\r\ncontent-length: *(\d+)/i.exec(start.toString('latin1', 0, end))?.[1];
    this.#wanted = length === undefined ? Infinity : this.#bodyStart + Number(length);
  }

  #endsChunks(piece: Buffer): boolean {
    const tail = piece.length >= lastChunk.length ? piece : Buffer.concat(this.#pieces.slice(-8));
    return tail.subarray(-lastChunk.length).equals(lastChunk);
  }

  #finish(): void {
    const pending = this.#pending;
    const [first = Buffer.alloc(0)] = this.#pieces;
    const whole = this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
    const status = Number(whole.toString('latin1', 9, 12));
    const body = whole.subarray(this.#bodyStart);
    [this.#pieces, this.#received, this.#wanted, this.#pending] = [[], 0, undefined, undefined];
    if (status < 300) pending?.resolve(body);
    else pending?.reject(new Error(`${pending.path}: ${status} ${body.toString('utf8', 0, 300)}`));
  }
}
