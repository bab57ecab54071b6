import type { BackendResponse } from '../../outbound/backend.ts';
import { announceTrailers, passTrailers, type Trailers, trailersOf } from '../../http-protocol/forward/trailers.ts';
import type { Exchange } from '../../api/request/exchange.ts';
import { Responded } from '../../http-protocol/requests/http-exchange.ts';
import { sendAsItIs } from '../../http-protocol/responses/send-bytes.ts';
import { workAroundPausedParser } from '../../http-protocol/responses/work-around-paused-parser.ts';
import { writeChunks } from '../../http-protocol/responses/write-chunks.ts';
import { forwardedResponseHeaders } from './forwarded-request-headers.ts';

/**
 * Passes the response of a backend on, as fast as the client reads it. If the backend ends too
 * early, the connection of the client is broken off, because the response is incomplete. A redirect
 * is not passed on: it would lead clients with their credentials anywhere (CVE-2022-3172).
 */
export async function forwardResponse(exchange: Exchange, backend: BackendResponse): Promise<void> {
  const { status, headers, body } = backend;
  if (isRedirect(status, headers)) {
    body.destroy();
    return sendText(exchange, 502, 'the backend attempted to redirect this request, which is not permitted', '');
  }
  const { request, response } = exchange;
  if (response.headersSent) {
    // The deadline has answered.
    body.destroy();
    return;
  }
  workAroundPausedParser(exchange);
  const trailers = trailersOf(headers, backend.trailers);
  const hasLength = headers.some(isLength);
  const announced = announceTrailers(exchange, { status, hasLength }, trailers);
  response.writeHead(status, [...ownHeaders(exchange), ...forwardedResponseHeaders(headers), ...announced]);
  if (request.method === 'HEAD') {
    body.destroy();
    response.end();
    return;
  }
  if (exchange.verb === 'watch') {
    exchange.audit?.started(status);
    exchange.audit?.flush();
    exchange.streaming();
  }
  // A watch may be silent for long. A body of known length follows at once, with the headers.
  if (!hasLength) response.flushHeaders();
  await passOn(exchange, backend, trailers);
}

async function passOn(exchange: Exchange, { status, body }: BackendResponse, trailers: Trailers): Promise<void> {
  const { response } = exchange;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) await writeChunks(exchange, [chunk]);
    if (exchange.verb !== 'watch') await exchange.audit?.responding(status);
    exchange.audit?.flush();
    passTrailers(exchange, trailers);
    response.end();
  } catch {
    // The status is sent; only a broken connection tells the client that something is missing.
    response.destroy();
    throw new Responded();
  } finally {
    body.destroy();
  }
}

/** Sends a line of text, as kube-apiserver does for responses that are no Status. */
export function sendText(exchange: Exchange, status: number, text: string, end = '\n'): void {
  const body = Buffer.from(`${text}${end}`);
  sendAsItIs(exchange, { status, contentType: 'text/plain; charset=utf-8', body });
}

function isLength(text: string, index: number): boolean {
  return index % 2 === 0 && text.length === 'content-length'.length && text.toLowerCase() === 'content-length';
}

function isRedirect(status: number, headers: readonly string[]): boolean {
  if (status < 300 || status > 399) return false;
  return headers.some((text, index) => index % 2 === 0 && text.toLowerCase() === 'location');
}

/** The headers that this server adds to every response, except those that a backend decides. */
function ownHeaders({ auditId, warnings, headers }: Exchange): string[] {
  const own = ['Audit-Id', auditId, 'Cache-Control', 'no-cache, private', ...headers];
  for (const warning of warnings.headers()) own.push('Warning', warning);
  return own;
}
