import type { IncomingMessage } from 'node:http';
import { request as sendHttp1 } from 'node:https';
import type { Duplex, Readable } from 'node:stream';
import { buildConnector, errors, HttpAgent, sendToPath } from './http-agent.ts';
import { linkSignals } from '../async/abort-signals.ts';
import type { ServerAddress } from './json-client.ts';
import type { OpenTunnel } from './proxy/send-connect.ts';
import { tunnelConnector } from './tunnel-connector.ts';

/** TLS of connections to a backend, in PEM. */
interface BackendTls {
  /** The trusted CAs, which replace the system's. */
  readonly ca?: string;
  readonly insecure: boolean;
  /** The name in the certificate of the backend. */
  readonly serverName: string;
  /** The client certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
  /** Opens connections through a proxy; absent: they are opened directly. */
  readonly tunnel?: OpenTunnel | undefined;
}

/** A request that is passed on. Headers are names and values alternately. */
export interface BackendRequest {
  readonly address: ServerAddress;
  readonly method: string;
  /** The path with the query, as sent. */
  readonly path: string;
  readonly headers: readonly string[];
  /** The body; absent: the request has none. */
  readonly body?: Readable | undefined;
  /** True for requests without an end, such as watches: they do not use up the connections. */
  readonly longRunning?: boolean;
  readonly signal: AbortSignal;
}

/** The head of a response, and its body as it arrives. */
export interface BackendResponse {
  readonly status: number;
  /** Names and values alternately. */
  readonly headers: readonly string[];
  readonly body: Readable;
  /** The trailers, names and values alternately: complete once the body has been read. */
  readonly trailers: () => readonly string[];
}

/** The answer to a request for an upgrade: the other protocol, or a response. */
export type UpgradeAnswer =
  | { readonly upgraded: true; readonly headers: readonly string[]; readonly socket: Duplex; readonly head: Buffer }
  | { readonly upgraded: false; readonly response: BackendResponse };

/**
 * The connections to a server that requests are passed on to. They are kept. Redirects are not
 * followed, bodies are not buffered. HTTP/1.1, because undici joins repeated headers over HTTP/2:
 * two groups of a user would become one.
 */
export interface Backend {
  /** Rejects with the error of the network, or the reason of the signal. */
  send(request: BackendRequest): Promise<BackendResponse>;
  /** Asks for an upgrade, on a connection of its own. Rejects as `send` does. */
  upgrade(request: Omit<BackendRequest, 'body'>): Promise<UpgradeAnswer>;
  /** Closes the connections once the running requests have ended. */
  close(): void;
}

const connectTimeoutMs = 10_000;

/** The maximum of connections with requests that end; further requests wait. */
const connections = 64;

/** The maximum of connections with long-running requests: one for each. */
const longRunningConnections = 10_000;

/** The size of the headers of a response; more is an error. */
const maxHeaderBytes = 64 * 1024;

/** Creates the connections to a backend; the first request connects. */
export function createBackend({ ca, insecure, serverName: servername, cert, key, tunnel }: BackendTls): Backend {
  const tls = { ca, cert, key, servername, rejectUnauthorized: !insecure };
  const direct = buildConnector({ ...tls, timeout: connectTimeoutMs });
  const connector = tunnel ? tunnelConnector(tunnel, direct) : direct;
  const agentOf = (limit: number): HttpAgent =>
    new HttpAgent({
      // The header Host would replace the name in the certificate.
      connect: (target, connected) => connector({ ...target, servername }, connected),
      connections: limit,
      // The deadline of the request applies.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: maxHeaderBytes,
    });
  const short = agentOf(connections);
  const long = agentOf(longRunningConnections);
  return {
    async send(request) {
      const agent = request.longRunning ? long : short;
      try {
        return await pass(agent, request);
      } catch (error) {
        // A server may close a kept connection at the moment of its next use.
        if (!isLost(error) || !isRepeatable(request)) throw error;
        return await pass(agent, request);
      }
    },
    upgrade: async (request) => {
      const socket = tunnel && (await openWithin(tunnel, request));
      return askForUpgrade({ ...tls, ...(socket ? { socket } : {}), ALPNProtocols: ['http/1.1'] }, request);
    },
    close() {
      void short.close();
      void long.close();
    },
  };
}

/** Opens a connection through a proxy, within the time for connections. */
async function openWithin(open: OpenTunnel, { address, signal }: Pick<BackendRequest, 'address' | 'signal'>) {
  const linked = linkSignals(signal, AbortSignal.timeout(connectTimeoutMs));
  try {
    return await open(address, linked.signal);
  } finally {
    linked.release();
  }
}

/** Formats the origin of a server. */
export function originOf(address: ServerAddress): string {
  return `https://${hostOf(address)}`;
}

/** Formats an address as in the header Host. */
export function hostOf({ host, port }: ServerAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function pass(agent: HttpAgent, request: BackendRequest): Promise<BackendResponse> {
  const { address, method, path, headers, body, signal } = request;
  const response = await sendToPath(agent, {
    origin: originOf(address),
    method,
    path,
    headers: [...headers],
    body: body ?? null,
    signal,
    responseHeaders: 'raw',
  });
  const { statusCode: status, headers: rawHeaders } = response;
  // Its reader gets errors, too; a body that nobody reads may fail.
  response.body.on('error', ignore);
  const { trailers } = response;
  return { status, headers: rawTexts(rawHeaders), body: response.body, trailers: () => rawTrailers(trailers) };
}

/** The raw headers: with this option an array, which the types do not say. */
function rawTexts(headers: unknown): readonly string[] {
  return (headers as readonly (string | Buffer)[]).map((text) =>
    typeof text === 'string' ? text : text.toString('latin1'),
  );
}

/** Trailers by name. A value is a list if it was repeated, which the types do not say. */
function rawTrailers(trailers: Readonly<Record<string, string | readonly string[]>>): readonly string[] {
  return Object.entries(trailers).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]));
}

function isLost(error: unknown): boolean {
  if (error instanceof errors.SocketError) return true;
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
}

const repeatable: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

function isRepeatable({ method, body, signal }: BackendRequest): boolean {
  return repeatable.has(method) && !body && !signal.aborted;
}

function askForUpgrade(
  tls: object,
  { address: { host, port }, method, path, headers, signal }: Omit<BackendRequest, 'body'>,
): Promise<UpgradeAnswer> {
  return new Promise((resolve, reject) => {
    const request = sendHttp1({
      host,
      port,
      method,
      path,
      signal,
      agent: false,
      maxHeaderSize: maxHeaderBytes,
      // Node takes names and values alternately, which its types do not say.
      headers: [...headers] as never,
      ...tls,
    });
    request.on('upgrade', (response, socket, head) =>
      resolve({ upgraded: true, headers: response.rawHeaders, socket, head }),
    );
    request.on('response', (response) => resolve({ upgraded: false, response: responseOf(response) }));
    request.on('error', reject);
    request.end();
  });
}

function responseOf(response: IncomingMessage): BackendResponse {
  response.on('error', ignore);
  const { statusCode: status = 0, rawHeaders: headers } = response;
  return { status, headers, body: response, trailers: () => response.rawTrailers };
}

function ignore(): void {}
