import type { MaybePromise } from '../async/maybe-promise.ts';
import { yieldIfLong } from '../async/yield-if-long.ts';
import { linkSignals, untilAborted } from '../async/abort-signals.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { CallError } from './call-error.ts';
import type { OpenTunnel } from './proxy/send-connect.ts';
import { tunnelConnector } from './tunnel-connector.ts';
import { buildConnector, errors, HttpAgent, type HttpResponse, sendRequest } from './http-agent.ts';
import type { Readable } from 'node:stream';

/** TLS of connections to another server, in PEM. */
interface TlsSettings {
  /** The trusted CAs, which replace the system's. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
  readonly insecure?: boolean;
  /** Finds the address of a new connection; absent: that in the URL. */
  readonly resolve?: ResolveAddress;
  /** Opens connections through a proxy; absent: they are opened directly. */
  readonly tunnel?: OpenTunnel | undefined;
}

/** The address of a server, as host or IP address and port. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** Finds an address of a server; rejects if there is none. */
type ResolveAddress = () => Promise<ServerAddress>;

/** A request for a JSON object. */
interface JsonRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Overrides the timeout of the client. */
  readonly timeoutMs?: number;
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
  /** Uses HTTP/2 with servers that offer it. Default false. */
  readonly http2?: boolean;
  /** Parses a body; the default is `JSON.parse`, which rounds large integers. May throw. */
  readonly parse?: (bytes: Buffer) => MaybePromise<JsonValue>;
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
  const { ca, cert, key, serverName: servername, insecure, resolve, tunnel } = tls;
  const { http2: allowH2 = false } = limits;
  const connect = { ca, cert, key, servername, rejectUnauthorized: !insecure, timeout: connectTimeoutMs, allowH2 };
  const agent = new HttpAgent({
    connect: resolve || tunnel ? connectorOf(connect, resolve, tunnel) : connect,
    allowH2,
    connections: limits.connections,
    headersTimeout: limits.timeoutMs,
    bodyTimeout: limits.timeoutMs,
    maxResponseSize: limits.maxResponseBytes,
  });
  return {
    async request(request) {
      const timer = new AbortController();
      const timeout = setTimeout(() => timer.abort(), request.timeoutMs ?? limits.timeoutMs);
      const { signal, release } = linkSignals(request.signal, timer.signal);
      try {
        // undici ends a request that waits for a connection only with the attempt to connect.
        return await untilAborted(exchange(agent, { ...request, signal }, limits), signal);
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

type Connector = ReturnType<typeof buildConnector>;

function connectorOf(
  options: Parameters<typeof buildConnector>[0],
  resolve: ResolveAddress | undefined,
  tunnel: OpenTunnel | undefined,
): Connector {
  const direct = buildConnector(options);
  const connector = tunnel ? tunnelConnector(tunnel, direct) : direct;
  return resolve ? resolvingConnector(connector, resolve) : connector;
}

/** Connects to a resolved address; the certificate must have the name in the URL. */
function resolvingConnector(connector: Connector, resolve: ResolveAddress): Connector {
  return (target, connected) => {
    const connect = async (): Promise<void> => {
      const { host, port } = await resolve();
      const servername = target.servername ?? target.hostname;
      connector({ ...target, hostname: host, port: String(port), servername }, connected);
    };
    connect().catch((error: unknown) => {
      connected(error instanceof Error ? error : new Error('unresolved', { cause: error }), null);
    });
  };
}

async function exchange(
  agent: HttpAgent,
  { method, url, headers, body, signal }: JsonRequest,
  limits: ClientLimits,
): Promise<JsonResponse> {
  // After a request that ends before it is sent, undici takes its connection of HTTP/2 for free,
  // even if the next request is on it by then: a third one would wait for the end of that.
  signal.throwIfAborted();
  const response = await sendRequest(agent, url, {
    method,
    signal,
    body: body ?? null,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', ...headers },
  });
  const { statusCode: status } = response;
  if (status < 200 || status > 299) {
    await response.body.dump();
    const retryAfterSeconds = wholeNumber(response.headers['retry-after']);
    throw new CallError('status', `${originOf(url)} answered ${status}`, { status, retryAfterSeconds });
  }
  return { body: await readObject(response, originOf(url), limits), headers: response.headers };
}

function wholeNumber(text: string | string[] | undefined): number | undefined {
  return typeof text === 'string' && /^\s*[+-]?[0-9]+\s*$/.test(text) ? Number(text) : undefined;
}

async function readObject(
  { statusCode, headers, body }: HttpResponse,
  server: string,
  { maxResponseBytes, parse = parseText }: ClientLimits,
): Promise<JsonObject> {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    await body.dump();
    throw new CallError('malformed', `${server} answered with a compressed body`);
  }
  // The agent enforces its limit for HTTP/1.1 only.
  const bytes = await readBody(body, maxResponseBytes);
  if (bytes === undefined) throw new CallError('malformed', `${server} answered with a body that is too large`);
  if (bytes.length === 0) {
    const type = `status code: ${statusCode} and content type: ${String(headers['content-type'] ?? '')}`;
    throw new CallError('malformed', `0-length response with ${type}`);
  }
  const startMs = performance.now();
  const value = await parsed(bytes, parse, server);
  // A megabyte of short fields takes a tenth of a second: its use gets a turn of its own.
  await yieldIfLong(startMs);
  if (!isJsonObject(value)) throw new CallError('malformed', `${server} answered with something other than an object`);
  return value;
}

function parseText(bytes: Buffer): JsonValue {
  // JSON.parse returns values of this type.
  return JSON.parse(bytes.toString('utf8')) as JsonValue;
}

async function parsed(
  bytes: Buffer,
  parse: (bytes: Buffer) => MaybePromise<JsonValue>,
  server: string,
): Promise<JsonValue> {
  try {
    return await parse(bytes);
  } catch {
    // The errors of parsers repeat a part of the text.
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

/** Reads a whole body. Undefined if it is larger than the limit. Rejects if it breaks off. */
export async function readBody(body: Readable, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
