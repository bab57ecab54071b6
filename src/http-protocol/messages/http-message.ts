import type { IncomingMessage } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { DirectRequest } from './direct-request.ts';
import type { Http2Request } from './http2-request.ts';

/** A request of node:http, of HTTP/2, or of a client in this process. */
export type HttpRequest = IncomingMessage | Http2Request | DirectRequest;

/** The used methods and properties that all responses have in common. */
export interface HttpResponse {
  /** The stream; for HTTP/2 only. */
  readonly stream?: ServerHttp2Stream;
  /** The connection; for HTTP/1.1 null while an earlier response uses it. */
  readonly socket: { readonly writableLength: number; readonly bytesWritten: number } | null;
  /** True if a reader in this process gets the chunks themselves. */
  readonly passesChunks?: true;
  statusCode: number;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  setHeader(name: string, value: string | string[]): unknown;
  writeHead(status: number, headers?: string[]): unknown;
  flushHeaders(): void;
  write(chunk: Uint8Array): boolean;
  write(text: string, encoding: 'latin1'): boolean;
  /** Adds trailers to a body of unknown length, before `end`. Absent for direct requests. */
  addTrailers?(trailers: readonly [string, string][]): void;
  end(chunk?: Uint8Array): unknown;
  on(event: string, listener: () => void): unknown;
  once(event: string, listener: () => void): unknown;
  removeListener(event: string, listener: () => void): unknown;
  destroy(error?: Error): unknown;
  /**
   * Allows trailers after the body; for HTTP/2 only. Must be called before the headers are sent.
   */
  allowTrailers?(): void;
  /** Sends a complete response; for HTTP/2 only. Names and values of headers alternate. */
  send?(status: number, headers: readonly string[], body: Buffer | undefined): void;
}
