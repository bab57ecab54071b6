import { gzip } from 'node:zlib';
import type { HttpExchange } from '../requests/http-exchange.ts';
import { LinkedList } from '../requests/linked-list.ts';
import { acceptsGzip, gzipLevel } from './gzipped.ts';
import { admitResponse } from './admit-response.ts';
import { largeResponseBytes, workAroundPausedParser } from './work-around-paused-parser.ts';
import { standardHeaders } from './standard-headers.ts';

/**
 * Larger responses are compressed if the client accepts gzip. For smaller ones compression costs
 * more than the transfer.
 */
export const gzipThresholdBytes = 128 * 1024;

const lineFeed = Buffer.from('\n');

/** A complete response. */
export interface CompleteResponse {
  readonly status: number;
  /** The content type; undefined for a response without a body. */
  readonly contentType: string | undefined;
  readonly body: Buffer;
  /**
   * True if a line feed follows the body. HTTP/1.1 writes it separately: appending it would copy
   * the body and cost a small GET a tenth more.
   */
  readonly lineFeed?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** The length from which the body is compressed; `gzipThresholdBytes` if absent. */
  readonly gzipFromBytes?: number;
  /** The cache directive; absent: the response must not be cached. */
  readonly cacheControl?: string;
  /** Returns the body compressed, if it is compressed once for several responses. */
  readonly compress?: () => Promise<Buffer>;
}

/**
 * Sends a complete response, compressed if it is large and the client accepts gzip. Throws 429 for
 * a large response if the budget of responses is used up. Does nothing if a response has started,
 * for example after the deadline.
 */
export function sendBytes(exchange: HttpExchange, answer: CompleteResponse): Promise<void> | void {
  admitResponse(exchange, answer.body.length);
  const { gzipFromBytes = gzipThresholdBytes } = answer;
  const compress = answer.body.length > gzipFromBytes && acceptsGzip(exchange.request.headers['accept-encoding']);
  return compress ? sendCompressed(exchange, answer) : sendAsItIs(exchange, answer);
}

async function sendCompressed(exchange: HttpExchange, answer: CompleteResponse): Promise<void> {
  const { compress = () => compressed(answer.lineFeed ? Buffer.concat([answer.body, lineFeed]) : answer.body) } =
    answer;
  const body = await compress();
  const vary = answer.headers?.['Vary'];
  const headers = {
    ...answer.headers,
    'Content-Encoding': 'gzip',
    Vary: vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding',
  };
  sendAsItIs(exchange, { ...answer, body, lineFeed: false, headers });
}

/**
 * Sends a complete response without compression, in one write to the socket. The responses of one
 * turn of the event loop are written together at its end, so that a client process is woken once
 * and not for each response. At `togetherAtMost` responses they are written at once. The audit
 * record of a request is written before its response.
 */
export function sendAsItIs(exchange: HttpExchange, answer: CompleteResponse): void {
  const recording = exchange.audit?.responding(answer.status);
  if (recording) void recording.then(() => sendSoon(exchange, answer));
  else sendSoon(exchange, answer);
}

function sendSoon(exchange: HttpExchange, answer: CompleteResponse): void {
  unsent.add({ exchange, answer });
  if (unsent.size === togetherAtMost) sendAll();
  else if (unsent.size === 1) setImmediate(sendAll);
}

const togetherAtMost = 16;

/** The responses of this turn that are not written yet. */
const unsent = new LinkedList<{ readonly exchange: HttpExchange; readonly answer: CompleteResponse }>();

function sendAll(): void {
  for (let entry = unsent.first; entry; entry = unsent.first) {
    unsent.remove(entry);
    const { exchange, answer } = entry.value;
    try {
      exchange.audit?.flush();
      send(exchange, answer);
    } catch (error) {
      exchange.response.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

function send(exchange: HttpExchange, answer: CompleteResponse): void {
  const { request, response } = exchange;
  if (response.headersSent || response.writableEnded) return;
  const { status, body } = answer;
  const headers = standardHeaders(exchange, answer.contentType, answer.cacheControl);
  // These responses have no body, and a length would describe another response (RFC 9110, 8.6).
  if (status !== 204 && status !== 304) headers.push('Content-Length', String(body.length + (answer.lineFeed ? 1 : 0)));
  for (const name in answer.headers) headers.push(name, answer.headers[name] ?? '');
  const bodiless = request.method === 'HEAD';
  if (!bodiless) exchange.sentBytes = body.length + (answer.lineFeed ? 1 : 0);
  if (response.send) return response.send(status, headers, bodiless ? undefined : whole(answer));
  // A response queued behind another one adds to the unsent bytes of its connection.
  if (body.length >= largeResponseBytes || !response.socket) workAroundPausedParser(exchange);
  response.writeHead(status, headers);
  if (bodiless) response.end();
  else if (answer.lineFeed) {
    response.write(body);
    response.end(lineFeed);
  } else response.end(body);
}

function whole({ body, lineFeed: ended }: CompleteResponse): Buffer {
  return ended ? Buffer.concat([body, lineFeed]) : body;
}

/** Compresses a body outside the main thread. */
export function compressed(body: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(body, { level: gzipLevel }, (error, result) => (error ? reject(error) : resolve(result)));
  });
}
