import type { IncomingMessage } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Http2Request } from './http2-request.ts';

/** A request of node:http, or of HTTP/2. */
export type HttpRequest = IncomingMessage | Http2Request;

/** The used methods and properties that responses of node:http and of HTTP/2 have in common. */
export interface HttpResponse {
  /** For HTTP/2 only. */
  readonly stream?: ServerHttp2Stream;
  /** For HTTP/1.1: null while an earlier response uses the connection. */
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
  /** For HTTP/2 only: sends a complete response. Names and values of headers alternate. */
  send?(status: number, headers: readonly string[], body: Buffer | undefined): void;
}
