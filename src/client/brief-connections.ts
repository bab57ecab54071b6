import { Agent as HttpAgent, type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions, request as httpsRequest } from 'node:https';
import type { ConnectionSettings } from '../outbound/config/connection-settings.ts';
import type { Credentials } from '../outbound/config/credential-source.ts';
import { lazyModule } from '../package/lazy-module.ts';
import type { ClientRequest } from './client-request.ts';
import { type Connections, IdleTimeout } from './connections.ts';
import { wholeBody } from './whole-body.ts';

/** Longer than the server's own timeout of a minute, so that the caller gets the server's error. */
const usualAnswerTimeoutMs = 70_000;
const usualConnectTimeoutMs = 10_000;

const loadUpgrades = lazyModule(() => import('./open-upgrade.ts'));

/** Options of connections over Node's own HTTP, which loads in a tenth of the time of undici. */
export interface BriefConnectionsOptions {
  /** The longest time of a request that is no stream, its body included; 0 is no limit. */
  readonly requestTimeoutMs?: number;
  /** The longest time until the server takes the connection; by default ten seconds. */
  readonly connectTimeoutMs?: number;
  /** The longest time until a response begins; by default longer than the server's own timeout. */
  readonly answerTimeoutMs?: number;
}

/**
 * Creates connections for a program that sends a few requests and ends, as one of a command line
 * does. No proxy is used; there is no limit on requests at the same time.
 *
 * @example
 * const settings = await findClientConfig();
 * const client = createClient(settings, { connections: createBriefConnections(settings) });
 */
export function createBriefConnections(
  settings: ConnectionSettings,
  {
    requestTimeoutMs = 0,
    connectTimeoutMs = usualConnectTimeoutMs,
    answerTimeoutMs = usualAnswerTimeoutMs,
  }: BriefConnectionsOptions = {},
): Connections {
  const { protocol, hostname, port, pathname } = new URL(settings.server);
  const isTls = protocol === 'https:';
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const prefix = pathname.replace(/\/$/, '');
  const certificates: (string | undefined)[] = [];
  // All connections lead to one server, and Node's name of one has the text of all certificates.
  agent.getName = ({ cert }: AgentOptions = {}) => {
    const text = cert?.toString();
    const at = certificates.indexOf(text);
    return String(at < 0 ? certificates.push(text) - 1 : at);
  };

  function start({ cert, key }: Credentials, request: ClientRequest, limit: AbortSignal | undefined) {
    const { method, path, body, headers, signal } = request;
    const either = signal && limit ? AbortSignal.any([signal, limit]) : (signal ?? limit);
    const options: RequestOptions = {
      agent,
      method,
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: prefix + path,
      // Node sends the body of a DELETE without its length.
      headers: body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
      ...(either ? { signal: either } : {}),
    };
    settings.beforeSend?.();
    if (!isTls) return httpRequest(options);
    const { ca, serverName, insecure = false } = settings;
    return httpsRequest({ ...options, ca, cert, key, servername: serverName, rejectUnauthorized: !insecure });
  }

  return {
    async send(kind, credentials, request) {
      if (kind === 'upgrades') return (await loadUpgrades()).openUpgrade(settings, credentials, request);
      const limit = kind === 'requests' && requestTimeoutMs > 0 ? AbortSignal.timeout(requestTimeoutMs) : undefined;
      const inTime = <Result>(result: Promise<Result>): Promise<Result> =>
        result.catch((error: unknown) => {
          throw limit?.aborted && !request.signal?.aborted ? requestTimeout(requestTimeoutMs) : error;
        });
      const timeouts = { connectTimeoutMs, answerTimeoutMs };
      const response = await inTime(answerOf(start(credentials, request, limit), request, timeouts));
      return {
        status: response.statusCode ?? 0,
        header: (name) => response.headers[name]?.toString(),
        bytes: (limitBytes) => inTime(wholeBody(response, limitBytes)),
        stream: () => untilIdle(response, request.idleTimeoutMs),
      };
    },
    async close() {
      agent.destroy();
    },
  };
}

/** Sends a request and waits for the head of its response. */
function answerOf(
  sent: ReturnType<typeof httpRequest>,
  { body }: ClientRequest,
  { connectTimeoutMs, answerTimeoutMs }: Required<Omit<BriefConnectionsOptions, 'requestTimeoutMs'>>,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const connecting = setTimeout(() => sent.destroy(timeoutError('connect')), connectTimeoutMs);
    const answering = setTimeout(() => sent.destroy(timeoutError('answer')), answerTimeoutMs);
    const settle = (): void => {
      clearTimeout(connecting);
      clearTimeout(answering);
    };
    sent.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => clearTimeout(connecting));
      else clearTimeout(connecting);
    });
    sent.once('response', (response) => {
      settle();
      resolve(response);
    });
    // A request may fail after its response began: the reader of the body gets that error too.
    sent.on('error', (error) => {
      settle();
      reject(error);
    });
    sent.end(body);
  });
}

function timeoutError(what: string): Error {
  return Object.assign(new Error(`${what} ETIMEDOUT`), { code: 'ETIMEDOUT' });
}

function requestTimeout(ms: number): Error {
  return Object.assign(new Error(`no complete response within ${ms / 1000} s`), { code: 'ETIMEDOUT' });
}

async function* untilIdle(response: IncomingMessage, idleTimeoutMs = 0): AsyncIterable<Uint8Array> {
  let isWaiting = true;
  const onIdle = (): void => {
    if (isWaiting) response.destroy(new IdleTimeout());
  };
  const timer = idleTimeoutMs > 0 ? setTimeout(onIdle, idleTimeoutMs) : undefined;
  try {
    for await (const bytes of response as AsyncIterable<Buffer>) {
      isWaiting = false;
      yield bytes;
      isWaiting = true;
      timer?.refresh();
    }
  } finally {
    clearTimeout(timer);
  }
}
