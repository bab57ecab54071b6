import type { Duplex } from 'node:stream';
import { allowListeners } from '../async/abort-signals.ts';
import { pause } from '../async/timers.ts';
import type { ConnectionSettings, ImpersonatedUser } from '../outbound/config/connection-settings.ts';
import { CredentialError, type Credentials } from '../outbound/config/credential-source.ts';
import { NotSentError } from '../outbound/call-error.ts';
import { openCredentials } from '../outbound/credentials/open-credentials.ts';
import type { ClientRequest, RequestKind } from './client-request.ts';
import { type Connections, createConnections, IdleTimeout } from './connections.ts';
import { throttledConnections } from './throttled-connections.ts';
import { createDirectConnections } from './direct-connections.ts';
import { readServerTiming, type TimedStep } from './server-timing.ts';
import { errorOfResponse, StatusError, unreachable, withoutCredentials } from './error-of-response.ts';
import { isUtf8 } from 'node:buffer';

/** The parameters of a query; those that are undefined or empty are left out. */
type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

function queryText(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const each of value) parameters.append(name, each);
    else if (value !== undefined && value !== '') parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

/** The headers that name a user in whose place requests are sent (spec 5.7). */
function impersonationHeaders(user: ImpersonatedUser | undefined): Record<string, string | string[]> {
  if (!user) return {};
  const { username, groups = [], uid = '', extra = {} } = user;
  const extras = Object.entries(extra).map(([key, values]) => [
    `impersonate-extra-${encodeURIComponent(key)}`,
    [...values],
  ]);
  return {
    'impersonate-user': username,
    ...(groups.length > 0 ? { 'impersonate-group': [...groups] } : {}),
    ...(uid === '' ? {} : { 'impersonate-uid': uid }),
    ...Object.fromEntries(extras),
  };
}

const warning = /299 \S+ "((?:[^"\\]|\\.)*)"/g;

/** The texts of `Warning: 299 - "text"` headers (RFC 7234 section 5.5). */
function readWarnings(header = ''): string[] {
  return [...header.matchAll(warning)].map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
}

/** Number of times that a request is repeated, as in client-go. */
const defaultRetries = 10;

/** A server cannot make a client wait for longer. */
const longestDelayMs = 60_000;

/** Requests that change nothing. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Errors of connections that the server closed, perhaps before it saw the request. */
const lostConnection: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * The delay before a failed request is repeated; undefined if it must not be. A server that answers
 * 429 has not begun, so that every request may be repeated after the time in `Retry-After`. After
 * other errors a write may have taken effect: only reads are repeated, after a 5xx with
 * `Retry-After`, or at once after a connection was lost.
 */
function retryDelayMs(error: unknown, method: string, attempt: number): number | undefined {
  if (!(error instanceof StatusError)) return undefined;
  const { code, retryAfterMs } = error;
  const isSafe = safeMethods.has(method);
  if (code === 0) return isSafe && attempt === 0 && isLostConnection(error.cause) ? 0 : undefined;
  if (retryAfterMs === undefined || !(code === 429 || (isSafe && code >= 500))) return undefined;
  return Math.min(retryAfterMs, longestDelayMs);
}

function isLostConnection(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && lostConnection.has(String(cause.code));
}

/** More than a page of the largest objects has: a peer without an end must not fill the memory. */
const bodyLimitBytes = 1024 * 1024 * 1024;
const errorLimitBytes = 4 * 1024 * 1024;

/** The status of a response that has not changed. */
const unchanged = 304;

/** A request to the server. */
export interface TransportRequest {
  readonly method: string;
  /** Already encoded; begins with `/`. */
  readonly path: string;
  /**
   * The query. Undefined values are left out; a list is one parameter for each item, even empty
   * ones.
   */
  readonly query?: Query;
  readonly accept?: string;
  /** Others than those that the transport sets, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Only `revalidate`: the tag of the response that the caller has. */
  readonly etag?: string | undefined;
  readonly contentType?: string;
  readonly body?: string | Uint8Array;
  /** Streams only: ends the stream when nothing arrives for this time. */
  readonly idleTimeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called for each `Warning` header of the response. */
  readonly onWarning?: (text: string) => void;
}

/**
 * Sends requests to one server. Responses outside 2xx and connection failures throw `StatusError`.
 */
export interface Transport {
  /**
   * Returns the whole body of the response. Must not be changed: from a server in this process it
   * is the bytes that other clients are sent too. More than 1 GiB is a `StatusError` (`BadAnswer`);
   * 4 MiB if the response is an error.
   */
  request(request: TransportRequest): Promise<Buffer>;
  /** Like `request`, but tells if the response is still the one with the tag of the request. */
  revalidate(request: TransportRequest): Promise<TaggedResponse>;
  /**
   * Returns the body as it arrives, without a timeout. Ends early when the signal aborts, and after
   * `idleTimeoutMs` without a byte.
   */
  stream(request: TransportRequest): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Asks for another protocol (`Upgrade`) with the headers of the request, and returns the
   * connection, which is the caller's to end. The signal destroys it.
   */
  upgrade(request: TransportRequest): Promise<UpgradedConnection>;
  /** Ends idle and running requests. */
  close(): Promise<void>;
}

/** A connection with another protocol than HTTP. */
export interface UpgradedConnection {
  readonly socket: Duplex;
  /** A header of the response by its name in lower case. */
  readonly header: (name: string) => string | undefined;
}

/** A response with the tag by which it is asked for again (RFC 9110 section 8.8.3). */
interface TaggedResponse {
  /** The ETag; undefined if the server sends none. */
  readonly etag: string | undefined;
  /** The body; undefined if the response has not changed. */
  readonly body: Buffer | undefined;
}

/** Runs the sending of a request in a span, and passes the span's headers on. */
export type TraceRequest = <Result>(
  request: Pick<TransportRequest, 'method' | 'path'>,
  send: (headers: Readonly<Record<string, string>>) => Promise<Result>,
) => Promise<Result>;

/** Options besides the connection settings. */
export interface TransportOptions {
  /** Connections that replace the transport's own; the transport closes them. */
  readonly connections?: Connections;
  readonly userAgent?: string;
  /** The user as which requests are sent, instead of the user of the credentials. */
  readonly impersonate?: ImpersonatedUser;
  /**
   * Number of times that a request is repeated when the server is overloaded (429) or, for reads,
   * fails with `Retry-After`. The default is 10.
   */
  readonly retries?: number;
  /** Called for each `Warning` header of a response. */
  readonly onWarning?: (text: string) => void;
  /**
   * Runs each attempt of a request in a span: `send` takes the headers by which the server
   * continues the trace. A stream is sent when its response begins.
   *
   * @example
   * const tracer = trace.getTracer('my-operator');
   * const client = createClient(settings, {
   *   traceRequest: ({ method }, send) =>
   *     tracer.startActiveSpan(`HTTP ${method}`, { kind: SpanKind.CLIENT }, async (span) => {
   *       const headers: Record<string, string> = {};
   *       propagation.inject(context.active(), headers);
   *       return send(headers).finally(() => span.end());
   *     }),
   * });
   */
  readonly traceRequest?: TraceRequest;
  /**
   * Asks the server for the trace of each request, and is called with the steps of the response;
   * without any if the user may not see traces.
   */
  readonly onTrace?: (request: TransportRequest, steps: readonly TimedStep[]) => void;
}

/** Creates a transport; the first request connects. */
export function createTransport(settings: ConnectionSettings, options: TransportOptions = {}): Transport {
  const { direct, server, beforeSend, requestRate } = settings;
  const usual = () => (direct ? createDirectConnections(direct, server, beforeSend) : createConnections(settings));
  const unlimited = options.connections ?? usual();
  const connections = requestRate ? throttledConnections(unlimited, requestRate) : unlimited;
  const credentials = openCredentials(settings);
  const { retries = defaultRetries, userAgent = 'client', impersonate = settings.impersonate } = options;
  const headers = { 'accept-encoding': 'identity', 'user-agent': userAgent, ...impersonationHeaders(impersonate) };

  function withHeaders(request: TransportRequest, { authorization }: Credentials): ClientRequest {
    const { method, path, body, signal, idleTimeoutMs, contentType, accept = 'application/json' } = request;
    const query = options.onTrace ? { ...request.query, trace: true } : request.query;
    const sent: Record<string, string | string[]> = { accept, ...headers, ...request.headers };
    if (contentType) sent['content-type'] = contentType;
    if (authorization) sent['authorization'] = authorization;
    if (request.etag) sent['if-none-match'] = request.etag;
    return { method, path: path + queryText(query), headers: sent, body, signal, idleTimeoutMs };
  }

  async function send(kind: RequestKind, request: TransportRequest, current: Credentials) {
    try {
      const sent = withHeaders(request, current);
      const { traceRequest } = options;
      const answer = await (traceRequest
        ? traceRequest(request, (traced) =>
            connections.send(kind, current, { ...sent, headers: { ...sent.headers, ...traced } }),
          )
        : connections.send(kind, current, sent));
      options.onTrace?.(request, readServerTiming(headerText(answer.header('server-timing'))));
      for (const onWarning of [options.onWarning, request.onWarning]) {
        if (onWarning) readWarnings(headerText(answer.header('warning'))).forEach((text) => onWarning(text));
      }
      const isUnchanged = answer.status === unchanged && Boolean(request.etag);
      const isGood = kind === 'upgrades' ? answer.socket : answer.status >= 200 && answer.status <= 299;
      if (isUnchanged || isGood) return answer;
      const body = await answer.bytes(errorLimitBytes);
      throw errorOfResponse(answer.status, body.toString(), answer.header('retry-after'));
    } catch (error) {
      throw translate(error, server, request.signal);
    }
  }

  /** Repeats a request that was refused for its credentials, or that may be repeated. */
  async function open(kind: RequestKind, request: TransportRequest) {
    // Any number of requests may share a signal; Node would report more than ten as a leak.
    if (request.signal) allowListeners(request.signal);
    let current = await obtain(() => credentials.get());
    let renewed = false;
    for (let attempt = 0; ; attempt++) {
      try {
        return await send(kind, request, current);
      } catch (error) {
        const isRefused: boolean = error instanceof StatusError && error.code === 401 && !renewed;
        const others = isRefused ? await obtain(() => credentials.renew(current)) : undefined;
        renewed ||= isRefused;
        // A command may have begun.
        const method = kind === 'upgrades' ? 'POST' : request.method;
        const delayMs = others || attempt >= retries ? undefined : retryDelayMs(error, method, attempt);
        if (!others && delayMs === undefined) throw error;
        if (delayMs !== undefined) await pause(delayMs, request.signal);
        request.signal?.throwIfAborted();
        current = others ?? current;
      }
    }
  }

  async function bytesOf(answer: Awaited<ReturnType<typeof open>>, request: TransportRequest): Promise<Buffer> {
    try {
      return await answer.bytes(bodyLimitBytes);
    } catch (error) {
      throw translate(error, server, request.signal);
    }
  }

  return {
    request: async (request) => bytesOf(await open('requests', request), request),
    async revalidate(request) {
      const answer = await open('requests', request);
      const body = await bytesOf(answer, request);
      return { etag: answer.header('etag'), body: answer.status === unchanged ? undefined : body };
    },
    async stream(request) {
      const answer = await open('streams', request);
      return chunks(answer.stream(), server, request.signal);
    },
    async upgrade(request) {
      const { socket, header } = await open('upgrades', request);
      if (!socket) throw unreachable(server, new Error('the server did not change the protocol'));
      return { socket, header };
    },
    close: () => connections.close(),
  };
}

async function obtain<Found>(get: () => Promise<Found>): Promise<Found> {
  try {
    return await get();
  } catch (error) {
    throw error instanceof CredentialError ? withoutCredentials(error) : error;
  }
}

async function* chunks(
  body: AsyncIterable<Uint8Array>,
  server: string,
  signal?: AbortSignal,
): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    if (signal?.aborted || error instanceof IdleTimeout) return;
    throw translate(error, server, signal);
  }
}

function translate(error: unknown, server: string, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof NotSentError || (error instanceof Error && error.name === 'StatusError')) return error;
  return unreachable(server, error);
}

/**
 * The text of a header that a server sends as UTF-8. Node decodes each byte as a character; values
 * that are not valid UTF-8 stay as they are.
 */
function headerText(value: string | undefined): string | undefined {
  if (value === undefined || !/^[\0-\xff]*$/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
