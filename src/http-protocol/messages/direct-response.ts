import { EventEmitter } from 'node:events';
import { newDeferred } from '../../async/deferred.ts';
import type { DirectAnswer, DirectHead } from '../../outbound/direct-server.ts';
import type { HttpResponse } from './http-message.ts';

/** A writer waits while its reader has this many bytes to take: a few chunks of a list. */
const highWaterBytes = 64 * 1024;

/**
 * A response to a client in this process, on the side of the server and of the client: bytes pass
 * without being copied or framed. Closed when its reader has taken all of it, or when either side
 * destroys it.
 */
export class DirectResponse extends EventEmitter implements HttpResponse, DirectAnswer {
  readonly passesChunks = true;
  statusCode = 200;
  headersSent = false;
  writableEnded = false;
  /** The bytes that were written, and how many of them the reader has not taken yet. */
  bytesWritten = 0;
  writableLength = 0;
  readonly head: Promise<DirectHead>;
  readonly #begin: (head: DirectHead) => void;
  readonly #fail: (error: Error) => void;
  readonly #headers: string[] = [];
  #chunks: Buffer[] = [];
  #wake: (() => void) | undefined;
  #lost: Error | undefined;
  #closed = false;

  constructor() {
    super();
    const { promise, resolve, reject } = newDeferred<DirectHead>();
    this.head = promise;
    this.#begin = resolve;
    this.#fail = reject;
  }

  /** The connection, which is the response itself. */
  get socket(): this {
    return this;
  }

  /** True once the reader has taken all. */
  get writableFinished(): boolean {
    return this.writableEnded && this.#chunks.length === 0 && !this.#lost;
  }

  setHeader(name: string, value: string | string[]): void {
    for (const each of [value].flat()) this.#headers.push(name, each);
  }

  writeHead(status: number, headers: readonly string[] = []): void {
    if (this.headersSent || this.#closed) return;
    this.statusCode = status;
    this.headersSent = true;
    this.#begin({ status, headers: this.#headers.length > 0 ? [...this.#headers, ...headers] : headers });
  }

  flushHeaders(): void {
    this.writeHead(this.statusCode);
  }

  /** Returns false if the caller should wait for `drain`, or if nothing can be sent any more. */
  write(chunk: Uint8Array | string, encoding: BufferEncoding = 'utf8'): boolean {
    if (this.writableEnded || this.#closed) return false;
    this.flushHeaders();
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : asBuffer(chunk);
    this.#chunks.push(bytes);
    this.bytesWritten += bytes.length;
    this.writableLength += bytes.length;
    this.#wakeReader();
    return this.writableLength < highWaterBytes;
  }

  end(chunk?: Uint8Array): void {
    if (this.writableEnded || this.#closed) return;
    if (chunk) this.write(chunk);
    this.flushHeaders();
    this.writableEnded = true;
    this.#wakeReader();
    if (this.writableFinished) this.#close();
  }

  async take(): Promise<readonly Buffer[] | undefined> {
    while (this.#chunks.length === 0) {
      if (this.#lost) throw this.#lost;
      if (this.writableEnded) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const taken = this.#chunks;
    this.#chunks = [];
    const wasFull = this.writableLength >= highWaterBytes;
    this.writableLength = 0;
    if (this.writableEnded) this.#close();
    else if (wasFull) this.emit('drain');
    return taken;
  }

  destroy(reason: Error = cutOff()): void {
    if (this.#closed) return;
    this.#lost = reason;
    this.#chunks = [];
    this.writableLength = 0;
    if (!this.headersSent) this.#fail(reason);
    this.#wakeReader();
    this.#close();
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  /** The listeners run after the caller, as the listeners of a stream do. */
  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    process.nextTick(emitClose, this);
  }
}

function emitClose(response: DirectResponse): void {
  response.emit('close');
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The error of a reader whose response the server destroys, as of a connection. */
function cutOff(): Error {
  return Object.assign(new Error('the server closed the connection'), { code: 'ECONNRESET' });
}
