import { Agent, errors, request as send } from 'undici';
import { authorizationHeader } from '../outbound/authorization-header.ts';
import { errorOfAnswer, unreachable } from './status-error.ts';
import { readServerTiming, type TimedStep } from './server-timing.ts';
import type { ConnectionSettings } from '../outbound/connection-settings.ts';

/** A request to the server. */
export interface TransportRequest {
  readonly method: string;
  /** Already encoded; begins with `/`. */
  readonly path: string;
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string | Uint8Array;
  /** Streams only: ends the stream when nothing arrives for this time. */
  readonly idleTimeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Sends requests to one server. Responses outside 2xx and connection failures throw `StatusError`.
 */
export interface Transport {
  /** Returns the whole body of the response. */
  request(request: TransportRequest): Promise<Buffer>;
  /**
   * Returns the body as it arrives, without a timeout. Ends early when the signal aborts, and after
   * `idleTimeoutMs` without a byte.
   */
  stream(request: TransportRequest): Promise<AsyncIterable<Uint8Array>>;
  /** Ends idle and running requests. */
  close(): Promise<void>;
}

/** A user whom requests impersonate (spec 5.7). */
export interface ImpersonatedUser {
  readonly username: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
}

/** Options besides the connection settings. */
export interface TransportOptions {
  readonly userAgent?: string;
  /**
   * Uses HTTP/2 if the server supports it: all requests and watches share a connection. Default
   * false.
   */
  readonly allowHttp2?: boolean;
  /** The user as which requests are sent, instead of the user of the credentials. */
  readonly impersonate?: ImpersonatedUser;
  /** Called for each `Warning` header of a response. */
  readonly onWarning?: (text: string) => void;
  /**
   * Asks the server for the trace of each request, and is called with the steps of the response;
   * without any if the user may not see traces.
   */
  readonly onTrace?: (request: TransportRequest, steps: readonly TimedStep[]) => void;
}

/** Longer than the server's own timeout of a minute, so that the caller gets the server's error. */
const headersTimeoutMs = 70_000;
const connectTimeoutMs = 10_000;
/**
 * An idle connection is probed after this time, so that a peer that is gone without a word is found
 * within half a minute.
 */
const keepAliveInitialDelayMs = 15_000;
/** Maximum number of concurrent requests; others wait. Watches have connections of their own. */
const connectionLimit = 64;

/** Creates a transport; the first request connects. */
export function createTransport(settings: ConnectionSettings, options: TransportOptions = {}): Transport {
  const connect = {
    ca: settings.ca,
    cert: settings.cert,
    key: settings.key,
    servername: settings.serverName,
    rejectUnauthorized: !settings.insecure,
    timeout: connectTimeoutMs,
    keepAliveInitialDelay: keepAliveInitialDelayMs,
  };
  const shared = { connect, allowH2: options.allowHttp2 ?? false, headersTimeout: headersTimeoutMs };
  const requests = new Agent({ ...shared, connections: connectionLimit, bodyTimeout: headersTimeoutMs });
  const streams = new Agent({ ...shared, bodyTimeout: 0 });
  const authorizationOf = authorizationHeader(settings);
  const impersonation = impersonationHeaders(options.impersonate);

  async function open(agent: Agent, request: TransportRequest) {
    const authorization = await authorizationOf();
    try {
      const query = options.onTrace ? { ...request.query, trace: true } : request.query;
      const answer = await send(settings.server + request.path + queryText(query), {
        // undici's type lists the methods; it checks the string at run time.
        method: request.method as 'GET',
        dispatcher: agent,
        signal: request.signal ?? null,
        body: request.body ?? null,
        ...(request.idleTimeoutMs === undefined ? {} : { bodyTimeout: request.idleTimeoutMs }),
        headers: {
          accept: request.accept ?? 'application/json',
          'accept-encoding': 'identity',
          'user-agent': options.userAgent ?? 'client',
          ...(request.contentType ? { 'content-type': request.contentType } : {}),
          ...(authorization ? { authorization } : {}),
          ...impersonation,
        },
      });
      options.onTrace?.(request, readServerTiming(answer.headers['server-timing']));
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
    if (signal?.aborted || error instanceof errors.BodyTimeoutError) return;
    throw translate(error, server, signal);
  }
}

function translate(error: unknown, server: string, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof Error && error.name === 'StatusError') return error;
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

const warning = /299 \S+ "((?:[^"\\]|\\.)*)"/g;

function impersonationHeaders(user: ImpersonatedUser | undefined): Record<string, string | string[]> {
  if (!user) return {};
  const { username, groups = [], uid = '' } = user;
  return {
    'impersonate-user': username,
    ...(groups.length > 0 ? { 'impersonate-group': [...groups] } : {}),
    ...(uid === '' ? {} : { 'impersonate-uid': uid }),
  };
}

/** The texts of `Warning: 299 - "text"` headers (RFC 7234 section 5.5). */
function readWarnings(header: string | string[] | undefined): string[] {
  const joined = Array.isArray(header) ? header.join(', ') : (header ?? '');
  return [...joined.matchAll(warning)].map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
}
