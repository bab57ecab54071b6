import { Agent, errors, type Dispatcher, request as send } from 'undici';
import { linkSignals } from '../async/link-signals.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { CallError } from './call-error.ts';

/** TLS of connections to another server, in PEM. */
interface TlsSettings {
  /** The trusted CAs, which replace the system's. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
  readonly insecure?: boolean;
}

/** A request for a JSON object. */
interface JsonRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** The JSON object in a response, and the headers of the response by lower-case name. */
interface JsonResponse {
  readonly body: JsonObject;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The limits of a client. */
export interface ClientLimits {
  /** The time of one request, from its start to the end of its response. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  /** The maximum number of connections; other requests wait. */
  readonly connections: number;
}

/** Sends requests to other servers over kept connections. */
export interface JsonClient {
  /** Throws CallError, or the reason of the signal. Statuses outside 2xx are errors. */
  request(request: JsonRequest): Promise<JsonResponse>;
  /** Closes the connections once the running requests have ended. */
  close(): Promise<void>;
}

const connectTimeoutMs = 10_000;

/**
 * Creates a client. Redirects are not followed: they would carry credentials to another server
 * (CVE-2020-8561). Compressed responses are refused, because only their compressed size is limited.
 */
export function createJsonClient(tls: TlsSettings, limits: ClientLimits): JsonClient {
  const { ca, cert, key, serverName: servername, insecure } = tls;
  const agent = new Agent({
    connect: { ca, cert, key, servername, rejectUnauthorized: !insecure, timeout: connectTimeoutMs },
    connections: limits.connections,
    headersTimeout: limits.timeoutMs,
    bodyTimeout: limits.timeoutMs,
    maxResponseSize: limits.maxResponseBytes,
  });
  return {
    async request(request) {
      const timer = new AbortController();
      const timeout = setTimeout(() => timer.abort(), limits.timeoutMs);
      const { signal, release } = linkSignals(request.signal, timer.signal);
      try {
        return await exchange(agent, { ...request, signal });
      } catch (error) {
        if (request.signal.aborted) throw request.signal.reason;
        throw callError(originOf(request.url), error, timer.signal.aborted);
      } finally {
        clearTimeout(timeout);
        release();
      }
    },
    close: () => agent.close(),
  };
}

async function exchange(agent: Agent, { method, url, headers, body, signal }: JsonRequest): Promise<JsonResponse> {
  const response = await send(url, {
    method,
    dispatcher: agent,
    signal,
    body: body ?? null,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', ...headers },
  });
  const { statusCode: status } = response;
  if (status < 200 || status > 299) {
    await response.body.dump();
    throw new CallError('status', `${originOf(url)} answered ${status}`, { status });
  }
  return { body: await readObject(response, originOf(url)), headers: response.headers };
}

async function readObject({ headers, body }: Dispatcher.ResponseData, server: string): Promise<JsonObject> {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    await body.dump();
    throw new CallError('malformed', `${server} answered with a compressed body`);
  }
  const value = parse(await body.text(), server);
  if (!isJsonObject(value)) throw new CallError('malformed', `${server} answered with something other than an object`);
  return value;
}

function parse(text: string, server: string): JsonValue {
  try {
    // JSON.parse returns values of this type.
    return JSON.parse(text) as JsonValue;
  } catch {
    // The error of JSON.parse repeats a part of the text.
    throw new CallError('malformed', `${server} answered with a body that is not JSON`);
  }
}

function callError(server: string, error: unknown, timedOut: boolean): unknown {
  if (error instanceof CallError) return error;
  if (timedOut || isTimeout(error))
    return new CallError('timeout', `${server} did not answer in time`, { cause: error });
  if (error instanceof errors.ResponseExceededMaxSizeError) {
    return new CallError('malformed', `${server} answered with a body that is too large`, { cause: error });
  }
  if (!(error instanceof Error)) return error;
  return new CallError('unreachable', `cannot reach ${server}: ${rootMessage(error)}`, { cause: error });
}

function isTimeout(error: unknown): boolean {
  return error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
}

/** A connection to several addresses fails with an AggregateError, whose own message is empty. */
function rootMessage(error: Error): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0].message;
  return error.message || error.name;
}

/** Paths and queries can contain secrets. */
const originOf = (url: string): string => new URL(url).origin;
