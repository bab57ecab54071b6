import type { ConnectionSettings } from '../outbound/connection-settings.ts';
import type { Credentials } from '../outbound/credentials/credential-source.ts';
import type { HttpAgent, HttpRequest, HttpResponse } from '../outbound/http-agent.ts';

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

/** The agents of the connections with one client certificate. */
interface ConnectionAgents extends Pick<Credentials, 'cert' | 'key'> {
  readonly requests: HttpAgent;
  /** For responses without an end. */
  readonly streams: HttpAgent;
}

/** The connections to one server. */
interface Connections {
  /**
   * Sends a request; resolves with the headers of the response. When the client certificate
   * changes, the connections with the previous one are closed: requests in progress end, streams
   * are cut.
   */
  send(
    kind: 'requests' | 'streams',
    credentials: Credentials,
    path: string,
    request: HttpRequest,
  ): Promise<HttpResponse>;
  /** Ends idle and running requests. */
  close(): Promise<void>;
}

/** Loaded with the first request: it takes more time and memory than the rest of the client. */
const loadHttp = () => import('../outbound/http-agent.ts');

/** Creates connections; the first request connects. */
export function createConnections(settings: ConnectionSettings, allowHttp2: boolean): Connections {
  let current: ConnectionAgents | undefined;
  let closed: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  function agentsFor({ cert, key }: Credentials, create: (options: AgentOptions) => HttpAgent): ConnectionAgents {
    if (current && current.cert === cert && current.key === key) return current;
    const previous = current;
    if (previous) closed = Promise.all([closed, previous.requests.close(), previous.streams.destroy()]);
    const shared = {
      connect: connectOptions(settings, cert, key),
      allowH2: allowHttp2,
      headersTimeout: headersTimeoutMs,
    };
    current = {
      cert,
      key,
      requests: create({ ...shared, connections: connectionLimit, bodyTimeout: headersTimeoutMs }),
      streams: create({ ...shared, bodyTimeout: 0 }),
    };
    return current;
  }

  return {
    async send(kind, credentials, path, request) {
      const { HttpAgent: Agent, sendRequest } = await loadHttp();
      if (isClosed) throw new Error('the client is closed');
      const agents = agentsFor(credentials, (options) => new Agent(options));
      return sendRequest(agents[kind], settings.server + path, request);
    },
    async close() {
      isClosed = true;
      await Promise.all([current?.requests.destroy(), current?.streams.destroy(), closed]);
    },
  };
}

type AgentOptions = NonNullable<ConstructorParameters<typeof HttpAgent>[0]>;

function connectOptions(
  { ca, serverName, insecure = false }: ConnectionSettings,
  cert: string | undefined,
  key: string | undefined,
): AgentOptions['connect'] {
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
