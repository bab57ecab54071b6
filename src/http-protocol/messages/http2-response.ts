import {
  constants,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
  type ServerStreamResponseOptions,
} from 'node:http2';
import type { HttpResponse } from './http-message.ts';

/** Node refuses larger codes over HTTP/2. A webhook may choose them, and HTTP/1.1 carries them. */
function sendable(status: number): number {
  return Math.min(status, 599);
}

/**
 * A response of HTTP/2 without Node's compatibility layer, which costs a small response half as
 * much again. Its events are the events of the stream. Created by Node's server (`http2Settings`).
 */
export class Http2Response implements HttpResponse {
  readonly stream: ServerHttp2Stream;
  /** Several responses share the connection: the stream takes its place. */
  readonly socket = null;
  statusCode = 200;
  #headers: Record<string, string | string[]> | undefined;
  #ended = false;
  /** The trailers as names and values alternately; undefined unless trailers are allowed. */
  #trailers: string[] | undefined;

  constructor(stream: ServerHttp2Stream) {
    this.stream = stream;
  }

  get headersSent(): boolean {
    return this.stream.headersSent;
  }

  /** True after `end`. The stream itself has ended its side before, for a HEAD request. */
  get writableEnded(): boolean {
    return this.#ended;
  }

  get writableFinished(): boolean {
    return this.stream.writableFinished;
  }

  setHeader(name: string, value: string | string[]): void {
    (this.#headers ??= {})[name.toLowerCase()] = value;
  }

  /** Sends the headers; names and values alternate. No effect if the client closed the stream. */
  writeHead(status: number, headers: readonly string[] = []): void {
    const { stream } = this;
    this.statusCode = status;
    if (stream.destroyed || stream.closed) return;
    const sent: OutgoingHttpHeaders = { ':status': sendable(status), ...this.#headers, ...named(headers) };
    // HTTP/2 has no such header (RFC 9113, 8.2.2).
    delete sent['connection'];
    respond(stream, sent, { endStream: this.#ended, waitForTrailers: this.#trailers !== undefined });
  }

  flushHeaders(): void {
    if (!this.headersSent) this.writeHead(this.statusCode);
  }

  /** Asks a client that waits for it to send its body (RFC 9110, 10.1.1). */
  writeContinue(): void {
    const { stream } = this;
    if (!stream.headersSent && !stream.destroyed && !stream.closed) stream.additionalHeaders({ ':status': 100 });
  }

  /** Returns false if the caller should wait for `drain`, or if nothing can be sent any more. */
  write(chunk: Uint8Array | string, encoding: BufferEncoding = 'utf8'): boolean {
    const { stream } = this;
    if (this.#ended || stream.destroyed || stream.closed) return false;
    this.flushHeaders();
    return stream.write(chunk, encoding);
  }

  allowTrailers(): void {
    this.#trailers = [];
    const { stream } = this;
    // Without this the stream would not end.
    stream.once('wantTrailers', () => sendTrailers(stream, this.#trailers ?? []));
  }

  /** No effect unless they were allowed. */
  addTrailers(trailers: readonly [string, string][]): void {
    this.#trailers?.push(...trailers.flat());
  }

  end(chunk?: Uint8Array): void {
    if (this.#ended) return;
    if (chunk) this.write(chunk);
    this.#ended = true;
    this.flushHeaders();
    if (!this.stream.destroyed && !this.stream.writableEnded) this.stream.end();
  }

  /** Sends a complete response, in as few frames and steps as possible. */
  send(status: number, headers: readonly string[], body: Buffer | undefined): void {
    const { stream } = this;
    if (stream.destroyed || stream.closed) return;
    this.#ended = true;
    respond(stream, { ':status': sendable(status), ...named(headers) }, { endStream: body === undefined });
    if (body) stream.end(body);
  }

  on(event: string, listener: () => void): void {
    this.stream.on(event, listener);
  }

  once(event: string, listener: () => void): void {
    this.stream.once(event, listener);
  }

  removeListener(event: string, listener: () => void): void {
    this.stream.removeListener(event, listener);
  }

  destroy(error?: Error): void {
    this.stream.destroy(error);
  }
}

/**
 * Sends the headers of a response. Node refuses repeated ones that may have one value only, such as
 * two `ETag` of a backend: the first is sent then.
 */
function respond(stream: ServerHttp2Stream, headers: OutgoingHttpHeaders, options: ServerStreamResponseOptions): void {
  try {
    stream.respond(headers, options);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_HTTP2_HEADER_SINGLE_VALUE')) throw error;
    const { 'set-cookie': cookies, ...others } = headers;
    const first = Object.entries(others).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
    stream.respond({ ...Object.fromEntries(first), ...(cookies && { 'set-cookie': cookies }) }, options);
  }
}

/**
 * Sends the trailers of a response. Resets the stream if a backend has sent some that HTTP/2 does
 * not allow, such as two `ETag`: an error in an event would end the process.
 */
function sendTrailers(stream: ServerHttp2Stream, trailers: readonly string[]): void {
  if (stream.destroyed || stream.closed) return;
  try {
    stream.sendTrailers(named(trailers));
  } catch {
    stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }
}

/** Names of nearly every response in lower case: a new text for each would cost as a key, too. */
const usualNames: ReadonlyMap<string, string> = new Map(
  ['Audit-Id', 'Cache-Control', 'X-Content-Type-Options', 'Content-Type', 'Content-Length'].map((name) => [
    name,
    name.toLowerCase(),
  ]),
);

/**
 * Converts headers to an object. Names are in lower case, as HTTP/2 requires; values of repeated
 * headers are joined in an array.
 */
function named(headers: readonly string[]): OutgoingHttpHeaders {
  const byName: Record<string, string | string[]> = {};
  for (let index = 0; index < headers.length; index += 2) {
    const given = headers[index] ?? '';
    const name = usualNames.get(given) ?? given.toLowerCase();
    const value = headers[index + 1] ?? '';
    const before = byName[name];
    byName[name] = before === undefined ? value : [before, value].flat();
  }
  return byName;
}
