import type { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { linkSignals } from '../../async/abort-signals.ts';
import { DialError } from '../../outbound/dial-error.ts';
import { StatusError } from '../../status/status-error.ts';
import { ClientGone, type HttpExchange } from '../requests/http-exchange.ts';
import type { Upgrade } from '../messages/upgrade.ts';
import { clientHost, forwardedHeaders, responseHeaders } from './forwarded-headers.ts';
import { joinSockets } from './join-sockets.ts';
import { hasBody, takeBody } from './request-body.ts';
import { type PassedResponse, respondFrom } from './respond-from.ts';
import { type BackendResponse, sendRequest } from './send-request.ts';
import { trailersOf } from './trailers.ts';

/** The destination of a forwarded request. */
export interface Forwarding {
  /** Opens the connection; rejects with DialError. */
  readonly connect: (signal: AbortSignal) => Promise<Socket>;
  /** Connections that are kept, for reads without a body; absent: each request has its own. */
  readonly kept?: Agent;
  /** The `Host` header; absent: the client's. */
  readonly host?: string;
  /** The encoded path, with the query. */
  readonly path: string;
  /** Headers in addition to the client's. */
  readonly headers?: readonly string[];
  /** The upgrade of the request; undefined for an ordinary one. */
  readonly upgrade: Upgrade | undefined;
  /** Ends an accepted upgrade when it aborts. */
  readonly shutdown: AbortSignal;
  /** The error of a connection that failed before the backend responded. */
  readonly failure: (error: Error) => StatusError;
  /** Bytes per second of an accepted upgrade in each direction; 0 or absent: no limit. */
  readonly bytesPerSecond?: number | undefined;
  /** Changes an ordinary response. */
  readonly edit?: (response: PassedResponse) => Promise<PassedResponse>;
}

/**
 * Forwards a request to another server and its response to the client, both as they come and at the
 * speed of the slower end. The credentials of the client are not forwarded. An upgrade that the
 * server accepts joins both connections; if it refuses, its error is the response. Throws
 * `StatusError` before a response has started.
 */
export async function forwardRequest(exchange: HttpExchange, forwarding: Forwarding): Promise<void> {
  const { signal } = exchange;
  const { upgrade, edit } = forwarding;
  const backend = await send(exchange, forwarding).catch((error: unknown) => {
    throw failureOf(forwarding, signal, error);
  });
  if (upgrade && backend.upgradeHead) return join(exchange, { ...forwarding, upgrade }, backend);
  const { message } = backend;
  const { statusCode: status = 0, rawHeaders } = message;
  if (upgrade ? status < 400 : backend.upgradeHead) {
    message.socket.destroy();
    throw new StatusError('', `invalid upgrade response: status code ${status}`);
  }
  if (status < 200) {
    message.destroy();
    throw forwarding.failure(new Error(`malformed HTTP status code "${status}"`));
  }
  const trailers = trailersOf(rawHeaders, () => message.rawTrailers);
  const response = { status, headers: responseHeaders(rawHeaders), body: message, trailers };
  await respondFrom(exchange, edit ? await edit(response) : response);
}

async function send(exchange: HttpExchange, forwarding: Forwarding): Promise<BackendResponse> {
  const { request, signal } = exchange;
  const { host, headers = [], upgrade } = forwarding;
  const { method = 'GET' } = request;
  const isSent = !upgrade && hasBody(exchange);
  const kept = upgrade || isSent || !readMethods.has(method) ? undefined : forwarding.kept;
  const connection = kept ?? (await forwarding.connect(signal));
  return sendRequest(connection, {
    method,
    path: printable(forwarding.path),
    headers: [
      'Host',
      host ?? clientHost(request),
      ...forwardedHeaders(request),
      ...headers,
      ...(upgrade ? ['Connection', 'Upgrade', 'Upgrade', upgrade.protocol] : []),
      ...(upgrade || kept ? [] : ['Connection', 'close']),
      ...bodyHeaders(exchange, isSent),
    ],
    ...(isSent ? { body: takeBody(exchange) } : {}),
    signal,
  });
}

/** Methods of requests that may be repeated over another connection. */
const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Methods of requests that usually have no body. */
const bodilessMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE']);

/** A body after an upgrade would be taken for bytes of the other protocol: it has none. */
function bodyHeaders({ request: { method = 'GET', headers } }: HttpExchange, isSent: boolean): readonly string[] {
  if (!isSent) return bodilessMethods.has(method) ? [] : ['Content-Length', '0'];
  const length = headers['content-length'];
  return length === undefined ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', length];
}

/** Node refuses to send control characters and spaces. A received character stands for a byte. */
function printable(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]/g, percentEncoded);
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function failureOf({ failure }: Forwarding, signal: AbortSignal, error: unknown): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof DialError && error.code === 'cancelled') return new ClientGone();
  if (!(error instanceof Error)) return error;
  // Node's word for a connection that ended before the response; clients know Go's.
  const isEnd = 'code' in error && error.code === 'ECONNRESET' && error.message === 'socket hang up';
  return failure(isEnd ? new Error('EOF', { cause: error }) : error);
}

async function join(
  exchange: HttpExchange,
  { upgrade, shutdown, bytesPerSecond = 0 }: Forwarding & { readonly upgrade: Upgrade },
  { message, upgradeHead }: BackendResponse,
): Promise<void> {
  const { socket } = message;
  const protocol = message.headers.upgrade ?? upgrade.protocol;
  const headers = [...responseHeaders(message.rawHeaders).values()].flatMap(({ name, values }) =>
    values.flatMap((value) => [name, value]),
  );
  exchange.audit?.started(101);
  exchange.audit?.flush();
  const { signal, release } = linkSignals(exchange.signal, shutdown);
  const client = upgrade.accept(protocol, headers);
  if (upgradeHead && upgradeHead.length > 0) socket.unshift(upgradeHead);
  await joinSockets(client, socket, { signal, bytesPerSecond, onSent: (bytes) => (exchange.sentBytes += bytes) });
  release();
}
