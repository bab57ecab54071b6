import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest, ServerHttp2Stream } from 'node:http2';

/** A request of node:http, or of the compatibility layer of node:http2. */
export type HttpRequest = IncomingMessage | Http2ServerRequest;

/** What the responses of node:http and of node:http2's compatibility layer have in common, as far as it is used here. */
export interface HttpResponse {
  /** Of HTTP/2 alone. */
  readonly stream?: ServerHttp2Stream;
  /** Of HTTP/1.1: null while an earlier answer has the connection. */
  readonly socket: { readonly writableLength: number; readonly bytesWritten: number } | null;
  statusCode: number;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  setHeader(name: string, value: string | string[]): unknown;
  writeHead(status: number, headers?: string[]): unknown;
  flushHeaders(): void;
  write(chunk: Uint8Array): boolean;
  write(text: string, encoding: 'latin1'): boolean;
  end(chunk?: Uint8Array): unknown;
  on(event: string, listener: () => void): unknown;
  once(event: string, listener: () => void): unknown;
  removeListener(event: string, listener: () => void): unknown;
  destroy(error?: Error): unknown;
}
