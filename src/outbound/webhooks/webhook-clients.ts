import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../meta/json-value.ts';
import { authorizationHeader } from '../credentials/open-credentials.ts';
import { findCredentials } from './find-credentials.ts';
import { type ClientLimits, createJsonClient, type JsonClient } from '../json-client.ts';
import type { UserCredentials } from '../config/read-user.ts';
import type { ResolveService } from '../service-resolver.ts';
import type { WebhookServer } from './webhook-server.ts';
import type { OpenTunnel } from '../proxy/send-connect.ts';
import { pause } from '../../async/timers.ts';
import type { SpanAttributes, Tracing } from '../../tracing/span.ts';
import { CallError } from '../call-error.ts';

/** How often a call is repeated at most, as in kube-apiserver. */
const maxRepeats = 10;

/** The limits of a call with all its repeats. */
interface RepeatLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Makes a call, and repeats it if the server refuses it and says when it may be repeated: 429 and
 * 5xx with `Retry-After` in seconds. A call that HTTP/2 cuts off because its server stops is
 * repeated at once, on another connection. `call` gets the time that is left. Throws the error of
 * the last call, or the reason of the signal.
 */
async function repeatWhenAsked<Result>(
  { timeoutMs, signal }: RepeatLimits,
  call: (leftMs: number) => Promise<Result>,
): Promise<Result> {
  const endMs = performance.now() + timeoutMs;
  const leftMs = (): number => Math.max(0, endMs - performance.now());
  for (let repeats = maxRepeats; ; repeats--) {
    try {
      return await call(leftMs());
    } catch (error) {
      const waitMs = repeats > 0 ? waitOf(error) : undefined;
      if (waitMs === undefined) throw error;
      const isTooLate = waitMs >= leftMs();
      await pause(Math.min(waitMs, leftMs()), signal);
      signal.throwIfAborted();
      if (isTooLate) throw new CallError('timeout', 'the server asks for a later call', { cause: error });
    }
  }
}

/** The wait before the call is repeated; undefined for an error after which it must not be. */
function waitOf(error: unknown): number | undefined {
  if (!(error instanceof CallError)) return undefined;
  if (isGracefulStop(error.cause)) return 0;
  const { status, retryAfterSeconds } = error;
  if (retryAfterSeconds === undefined) return undefined;
  return status === 429 || status >= 500 ? Math.max(0, retryAfterSeconds * 1000) : undefined;
}

/**
 * Reports whether a server ended a session of HTTP/2 without an error (GOAWAY). undici then drops
 * the running call, although the server would still answer it.
 */
function isGracefulStop(cause: unknown): boolean {
  return cause instanceof Error && cause.message === 'HTTP/2: "GOAWAY" frame received with code 0';
}

/** Calls webhooks that objects of the API configure, over shared connections. */
export interface WebhookClients {
  /** Posts a review; throws `CallError`, `StatusError`, or the reason of the signal. */
  post(server: WebhookServer, review: PostedReview): Promise<JsonObject>;
}

/** A review to be posted. */
interface PostedReview {
  /** The URL of the server, perhaps with a query. */
  readonly url: string;
  readonly body: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface ClientDependencies {
  /** Closes the connections once the running calls have ended. */
  readonly signal: AbortSignal;
  readonly userAgent: string;
  readonly resolveService: ResolveService;
  /** The credentials of this server by the names of webhooks' hosts. */
  readonly credentials: () => Promise<ReadonlyMap<string, UserCredentials>>;
  /** The tunnels to webhooks; absent: direct connections. */
  readonly tunnels?: WebhookTunnels | undefined;
  /** Parses the body of an answer. May throw. */
  readonly parse: NonNullable<ClientLimits['parse']>;
  /** Creates spans of calls; absent if the process does not trace. */
  readonly tracing?: Tracing | undefined;
}

/** The tunnels to Services of the cluster, and to webhooks with a URL. */
export interface WebhookTunnels {
  readonly cluster?: OpenTunnel | undefined;
  readonly controlplane?: OpenTunnel | undefined;
  /** The name of this server's own Service in the namespace `default`. */
  readonly ownService: string;
}

/** A client with the credentials that it uses. */
interface OpenClient {
  readonly client: JsonClient;
  readonly authorization: () => Promise<string | undefined>;
}

const httpsPort = 443;

/** The number of servers whose connections are kept. */
const keptClients = 200;

/**
 * The limits of calls. A patch can be as large as a request body, in base64. The timeout of a call
 * is set by its webhook. The connections suffice for all writes in flight, so that a slow webhook
 * delays no other one of its server.
 */
const limits = Object.freeze({
  timeoutMs: 30_000,
  maxResponseBytes: 4 * 1024 * 1024,
  connections: 512,
  http2: true,
});

/** Creates the clients of a server. Webhooks with the same address and CAs share one. */
export function webhookClients(dependencies: ClientDependencies): WebhookClients {
  const { signal, userAgent, resolveService, credentials, parse, tunnels, tracing } = dependencies;
  const clients = new LRUCache<string, OpenClient>({
    max: keptClients,
    dispose: ({ client }) => void client.close(),
  });
  signal.addEventListener('abort', () => clients.clear(), { once: true });
  const clientOf = async (server: WebhookServer): Promise<OpenClient> => {
    const users = await credentials();
    const { hostname, port, origin } = new URL(server.url);
    // The URL may have the host of a Service; the two use different connections.
    const key = `${origin} ${server.service ? 'service' : 'url'} ${server.ca ?? ''}`;
    const known = clients.get(key);
    if (known) return known;
    const user = findCredentials(users, hostname, port === '' ? httpsPort : Number(port)) ?? {};
    const opened = openClient(server, user, {
      parse,
      resolve: (service) => resolveService(service, signal),
      tunnel: tunnelTo(server, tunnels),
    });
    clients.set(key, opened);
    return opened;
  };
  return {
    async post(server, { url, body, timeoutMs, signal: caller }) {
      const answer = await repeatWhenAsked({ timeoutMs, signal: caller }, async (leftMs) => {
        // Asked for each repeat: calls of many other servers meanwhile may have closed the client.
        const { client, authorization } = await clientOf(server);
        const token = await authorization();
        const headers = {
          accept: 'application/json, */*',
          'content-type': 'application/json',
          'user-agent': userAgent,
          ...(token ? { authorization: token } : {}),
        };
        const send = () =>
          client.request({
            method: 'POST',
            url,
            headers: { ...headers, ...tracing?.headers() },
            body,
            signal: caller,
            timeoutMs: leftMs,
          });
        return tracing ? tracing.child('HTTP POST', () => clientAttributes(server.url), send, 'client') : send();
      });
      return answer.body;
    },
  };
}

/** The tunnel to a webhook. Calls of this server itself use none, as in kube-apiserver. */
function tunnelTo({ service, url }: WebhookServer, tunnels: WebhookTunnels | undefined): OpenTunnel | undefined {
  if (!tunnels) return undefined;
  const { cluster, controlplane, ownService } = tunnels;
  if (!service) return new URL(url).host === `${ownService}.default.svc` ? undefined : controlplane;
  const isOwn = service.namespace === 'default' && service.name === ownService && service.port === httpsPort;
  return isOwn ? undefined : cluster;
}

function clientAttributes(url: string): SpanAttributes {
  const { hostname, port } = new URL(url);
  return { 'http.request.method': 'POST', 'server.address': hostname, 'server.port': Number(port) || httpsPort };
}

function openClient(
  { service, ca }: WebhookServer,
  { cert, key, ...user }: UserCredentials,
  {
    parse,
    resolve,
    tunnel,
  }: Pick<ClientDependencies, 'parse'> & {
    readonly tunnel: OpenTunnel | undefined;
    readonly resolve: (service: NonNullable<WebhookServer['service']>) => ReturnType<ResolveService>;
  },
): OpenClient {
  const client = createJsonClient(
    {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined || key === undefined ? {} : { cert, key }),
      ...(service ? { resolve: () => resolve(service) } : {}),
      tunnel,
    },
    { ...limits, parse },
  );
  return { client, authorization: authorizationHeader({ server: '', namespace: '', ...user }) };
}
