import { readFile } from 'node:fs/promises';
import { Agent, request as send } from 'undici';
import { errorOfAnswer, unreachable } from './api-error.ts';
import type { ConnectionSettings } from './connection-settings.ts';

/** A request below the server's origin. */
export interface TransportRequest {
  readonly method: string;
  /** Already encoded, from `/`. */
  readonly path: string;
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

/** Sends requests to one server. Answers outside 2xx, and no answer at all, are `ApiError`. */
export interface Transport {
  /** The whole body of the answer. */
  request(request: TransportRequest): Promise<Buffer>;
  /** The body as it arrives, without a limit of time. Ends early when the signal aborts. */
  stream(request: TransportRequest): Promise<AsyncIterable<Uint8Array>>;
  /** Ends idle and running requests. */
  close(): Promise<void>;
}

/** What callers may choose beside the connection. */
export interface TransportOptions {
  readonly userAgent?: string;
  /** HTTP/2 where the server has it: all requests and watches share a connection. Default false. */
  readonly allowHttp2?: boolean;
  /** The server's `Warning` headers, each once a request. */
  readonly onWarning?: (text: string) => void;
}

/** Longer than the server's own deadline of a minute, so that its answer is what the caller sees. */
const headersTimeoutMs = 70_000;
const connectTimeoutMs = 10_000;
/** Requests beyond this many at once wait; watches have connections of their own and never stand in the way. */
const connectionLimit = 64;
/** A rotated token is used within this time. */
const tokenFileMs = 60_000;

/** Opens no connection yet. */
export function createTransport(settings: ConnectionSettings, options: TransportOptions = {}): Transport {
  const connect = {
    ca: settings.ca,
    cert: settings.cert,
    key: settings.key,
    servername: settings.serverName,
    rejectUnauthorized: !settings.insecure,
    timeout: connectTimeoutMs,
  };
  const shared = { connect, allowH2: options.allowHttp2 ?? false, headersTimeout: headersTimeoutMs };
  const requests = new Agent({ ...shared, connections: connectionLimit, bodyTimeout: headersTimeoutMs });
  const streams = new Agent({ ...shared, bodyTimeout: 0 });
  const token = tokenSource(settings);

  async function open(agent: Agent, request: TransportRequest) {
    const authorization = await token();
    try {
      const answer = await send(settings.server + request.path + queryText(request.query), {
        // The caller's method is a plain string; undici checks it.
        method: request.method as 'GET',
        dispatcher: agent,
        signal: request.signal ?? null,
        body: request.body ?? null,
        headers: {
          accept: request.accept ?? 'application/json',
          'accept-encoding': 'identity',
          'user-agent': options.userAgent ?? 'client',
          ...(request.contentType ? { 'content-type': request.contentType } : {}),
          ...(authorization ? { authorization: `Bearer ${authorization}` } : {}),
        },
      });
      if (options.onWarning) readWarnings(answer.headers.warning).forEach(options.onWarning);
      if (answer.statusCode < 200 || answer.statusCode > 299) {
        throw errorOfAnswer(answer.statusCode, await answer.body.text());
      }
      return answer.body;
    } catch (error) {
      throw translate(error, settings.server, request.signal);
    }
  }

  return {
    async request(request) {
      const body = await open(requests, request);
      try {
        return Buffer.from(await body.arrayBuffer());
      } catch (error) {
        throw translate(error, settings.server, request.signal);
      }
    },
    async stream(request) {
      return chunks(await open(streams, request), settings.server, request.signal);
    },
    async close() {
      await Promise.all([requests.destroy(), streams.destroy()]);
    },
  };
}

async function* chunks(
  body: AsyncIterable<Uint8Array>,
  server: string,
  signal?: AbortSignal,
): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    if (signal?.aborted) return;
    throw translate(error, server, signal);
  }
}

function translate(error: unknown, server: string, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof Error && error.name === 'ApiError') return error;
  return unreachable(server, error);
}

function queryText(query: TransportRequest['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

function tokenSource(settings: ConnectionSettings): () => Promise<string | undefined> {
  const { token, tokenFile } = settings;
  if (tokenFile === undefined) return () => Promise.resolve(token);
  let current = { text: '', readAtMs: -Infinity };
  return async () => {
    if (performance.now() - current.readAtMs > tokenFileMs) {
      current = { text: (await readFile(tokenFile, 'utf8')).trim(), readAtMs: performance.now() };
    }
    return current.text;
  };
}

const warning = /299 \S+ "((?:[^"\\]|\\.)*)"/g;

/** The texts of `Warning: 299 - "text"` headers (RFC 7234 section 5.5). */
function readWarnings(header: string | string[] | undefined): string[] {
  const joined = Array.isArray(header) ? header.join(', ') : (header ?? '');
  return [...joined.matchAll(warning)].map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
}
