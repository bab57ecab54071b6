import { Http2ServerRequest, type IncomingHttpHeaders, type Http2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/**
 * A request of HTTP/2 without Node's compatibility layer, which makes a second stream for each body
 * and copies it there. Created by Node's server (`http2Settings`).
 */
export class Http2Request {
  readonly httpVersion = '2.0';
  readonly httpVersionMajor = 2;
  readonly stream: ServerHttp2Stream;
  /** The connection; still set after the stream is closed. */
  readonly session: Http2Session | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: string[];
  #readable: Http2ServerRequest | undefined;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _options: unknown, rawHeaders: string[]) {
    this.stream = stream;
    this.session = stream.session;
    this.headers = headers;
    this.rawHeaders = rawHeaders;
    // A stream that a client resets emits an error; its `close` event ends the exchange.
    stream.on('error', ignore);
  }

  get method(): string {
    return this.headers[':method'] ?? '';
  }

  get url(): string {
    return this.headers[':path'] ?? '';
  }

  /** The host that the client named; '' if it named none. */
  get authority(): string {
    return this.headers[':authority'] ?? '';
  }

  /** True if all of the request has arrived, or if nothing more will. */
  get complete(): boolean {
    const { stream } = this;
    return stream.aborted || stream.readableEnded || stream.destroyed;
  }

  /** The connection; undefined once the stream is closed. */
  get socket(): Pick<Socket, 'localAddress' | 'localPort'> | undefined {
    return this.stream.session?.socket;
  }

  /**
   * The body as a stream that may be piped or destroyed without an effect on the response. For
   * bodies that are passed on.
   */
  readable(): Readable {
    this.#readable ??= new Http2ServerRequest(this.stream, this.headers, {}, this.rawHeaders);
    return this.#readable;
  }
}

function ignore(): void {}
