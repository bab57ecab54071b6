import { LRUCache } from 'lru-cache';
import { decodeJson } from '../../codec/decode-json.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { authorizationHeader } from '../../outbound/authorization-header.ts';
import { findCredentials } from '../../outbound/find-credentials.ts';
import { createJsonClient, type JsonClient } from '../../outbound/json-client.ts';
import type { UserCredentials } from '../../outbound/load-client-config.ts';
import type { ResolveService } from '../../outbound/service-resolver.ts';
import type { ConfiguredWebhook, WebhookServer } from './configured-webhook.ts';

/** Calls webhooks over shared connections. */
export interface WebhookClients {
  /** Posts a review; throws `CallError`, `StatusError`, or the reason of the signal. */
  post(webhook: ConfiguredWebhook, url: string, body: string, signal: AbortSignal): Promise<JsonObject>;
}

interface ClientDependencies {
  /** Closes the connections once the running calls have ended. */
  readonly signal: AbortSignal;
  readonly userAgent: string;
  readonly resolveService: ResolveService;
  /** The credentials of this server by the names of webhooks' hosts. */
  readonly credentials: () => Promise<ReadonlyMap<string, UserCredentials>>;
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
 * The limits of calls. A patch can be as large as a request body, in base64. The time of a call is
 * that of its webhook. The connections suffice for all writes in flight, so that a slow webhook
 * delays no other one of its server.
 */
const limits = Object.freeze({
  timeoutMs: 30_000,
  maxResponseBytes: 4 * 1024 * 1024,
  connections: 512,
  http2: true,
  parse: (bytes: Buffer) => decodeJson(bytes, { duplicates: false }).value,
});

/** Creates the clients of a server. Webhooks with the same address and CAs share one. */
export function webhookClients({ signal, userAgent, resolveService, credentials }: ClientDependencies): WebhookClients {
  const clients = new LRUCache<string, OpenClient>({
    max: keptClients,
    dispose: ({ client }) => void client.close(),
  });
  signal.addEventListener('abort', () => clients.clear(), { once: true });
  const clientOf = async (server: WebhookServer): Promise<OpenClient> => {
    const users = await credentials();
    const { hostname, port, origin } = new URL(server.url);
    const key = `${origin} ${server.ca ?? ''}`;
    const known = clients.get(key);
    if (known) return known;
    const user = findCredentials(users, hostname, port === '' ? httpsPort : Number(port)) ?? {};
    const opened = openClient(server, user, (service) => resolveService(service, signal));
    clients.set(key, opened);
    return opened;
  };
  return {
    async post({ server, timeoutMs }, url, body, caller) {
      const { client, authorization } = await clientOf(server);
      const token = await authorization();
      const headers = {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...(token ? { authorization: token } : {}),
      };
      const answer = await client.request({ method: 'POST', url, headers, body, signal: caller, timeoutMs });
      return answer.body;
    },
  };
}

function openClient(
  { service, ca }: WebhookServer,
  { cert, key, ...user }: UserCredentials,
  resolve: (service: NonNullable<WebhookServer['service']>) => ReturnType<ResolveService>,
): OpenClient {
  const client = createJsonClient(
    {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined || key === undefined ? {} : { cert, key }),
      ...(service ? { resolve: () => resolve(service) } : {}),
    },
    limits,
  );
  return { client, authorization: authorizationHeader({ server: '', namespace: '', ...user }) };
}
