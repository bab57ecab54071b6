import type { ConnectionSettings } from '../outbound/config/connection-settings.ts';
import type { Credentials } from '../outbound/config/credential-source.ts';
import type { HttpAgent, HttpResponse } from '../outbound/http-agent.ts';
import type { OpenTunnel } from '../outbound/proxy/send-connect.ts';
import { tunnelConnector } from '../outbound/tunnel-connector.ts';
import type { ClientRequest, ClientResponse, RequestKind } from './client-request.ts';
import { lazyModule } from '../package/lazy-module.ts';
import { wholeBody } from './whole-body.ts';

/** Longer than the server's own timeout of a minute, so that the caller gets the server's error. */
const headersTimeoutMs = 70_000;
const connectTimeoutMs = 10_000;
/**
 * An idle connection is probed after this time, so that a peer that is gone without a word is found
 * within half a minute.
 */
const keepAliveInitialDelayMs = 15_000;
/** Maximum number of concurrent requests; others wait. Watches have connections of their own. */
export const connectionLimit = 64;

/** The agents of the connections with one client certificate. */
interface ConnectionAgents extends Pick<Credentials, 'cert' | 'key'> {
  readonly requests: HttpAgent;
  /** For responses without an end. */
  readonly streams: HttpAgent;
}

/** Thrown by a stream of which nothing arrived for the `idleTimeoutMs` of its request. */
export class IdleTimeout extends Error {}

/** The connections to one server. */
export interface Connections {
  /**
   * Sends a request; resolves with the headers of the response. When the client certificate
   * changes, the connections with the previous one are closed: requests in progress end, streams
   * are cut.
   */
  send(kind: RequestKind, credentials: Credentials, request: ClientRequest): Promise<ClientResponse>;
  /** Ends idle and running requests. */
  close(): Promise<void>;
}

/** Loaded with the first request: it takes more time and memory than the rest of the client. */
const loadHttp = lazyModule(() => import('../outbound/http-agent.ts'));
const loadUpgrades = lazyModule(() => import('./open-upgrade.ts'));
const loadTunnels = lazyModule(() => import('../outbound/proxy/open-tunnel.ts'));

/**
 * Creates connections; the first request connects. They are of HTTP/1.1: over HTTP/2 undici sends
 * either one request at a time on a session, or watches on full sessions, where they wait for ever.
 */
export function createConnections(settings: ConnectionSettings): Connections {
  let current: ConnectionAgents | undefined;
  let closed: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  function agentsFor({ cert, key }: Credentials, { HttpAgent: Agent, buildConnector }: HttpModule): ConnectionAgents {
    if (current && current.cert === cert && current.key === key) return current;
    const previous = current;
    if (previous) closed = Promise.all([closed, previous.requests.close(), previous.streams.destroy()]);
    const shared = { connect: connectorFor(settings, cert, key, buildConnector), headersTimeout: headersTimeoutMs };
    current = {
      cert,
      key,
      requests: new Agent({ ...shared, connections: connectionLimit, bodyTimeout: headersTimeoutMs }),
      streams: new Agent({ ...shared, bodyTimeout: 0 }),
    };
    return current;
  }

  return {
    async send(kind, credentials, request) {
      const { method, path, headers, body = null, signal = null, idleTimeoutMs } = request;
      if (kind === 'upgrades') return (await loadUpgrades()).openUpgrade(settings, credentials, request);
      const http = await loadHttp();
      if (isClosed) throw new Error('the client is closed');
      const agents = agentsFor(credentials, http);
      const timeout = idleTimeoutMs === undefined ? {} : { bodyTimeout: idleTimeoutMs };
      const sent = { method, headers, body, signal, ...timeout };
      const agent = settings.beforeSend ? http.checkedAgent(agents[kind], settings.beforeSend) : agents[kind];
      return responseOf(await http.sendRequest(agent, settings.server + path, sent));
    },
    async close() {
      isClosed = true;
      await Promise.all([current?.requests.destroy(), current?.streams.destroy(), closed]);
    },
  };
}

function responseOf({ statusCode, headers, body }: HttpResponse): ClientResponse {
  return {
    status: statusCode,
    header: (name) => headers[name]?.toString(),
    bytes: (limitBytes) => wholeBody(body, limitBytes),
    stream: () => untilIdle(body),
  };
}

async function* untilIdle(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === bodyTimeout ? new IdleTimeout() : error;
  }
}

/** The code of undici's error of a body of which nothing arrived in time. */
const bodyTimeout = 'UND_ERR_BODY_TIMEOUT';

type HttpModule = Awaited<ReturnType<typeof loadHttp>>;

function connectorFor(
  settings: ConnectionSettings,
  cert: string | undefined,
  key: string | undefined,
  buildConnector: HttpModule['buildConnector'],
) {
  const { proxyUrl } = settings;
  const tls = connectOptions(settings, cert, key);
  if (proxyUrl === undefined) return tls;
  const open: OpenTunnel = async (target, signal) => (await loadTunnels()).openTunnel(proxyUrl, target, signal);
  return tunnelConnector(open, buildConnector(tls));
}

function connectOptions(
  { ca, serverName, insecure = false }: ConnectionSettings,
  cert: string | undefined,
  key: string | undefined,
) {
  return {
    ca,
    cert,
    key,
    servername: serverName,
    rejectUnauthorized: !insecure,
    timeout: connectTimeoutMs,
    keepAliveInitialDelay: keepAliveInitialDelayMs,
  };
}
