import { pause } from '../../async/timers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { authorizationHeader } from '../credentials/open-credentials.ts';
import { CallError } from '../call-error.ts';
import type { ConnectionSettings } from '../config/connection-settings.ts';
import { type ClientLimits, createJsonClient, type JsonClient } from '../json-client.ts';
import { openTunnel } from '../proxy/open-tunnel.ts';
import type { OpenTunnel } from '../proxy/send-connect.ts';

/** A server that answers reviews: a call posts a document and returns the response's. */
export interface Webhook {
  /**
   * Repeats failed tries while another may succeed and the signal has not aborted. Throws
   * CallError, or the reason of the signal.
   */
  call(document: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** Posts JSON as `call` does. The body of the response does not matter. */
  send(json: string, signal: AbortSignal): Promise<void>;
  /** Closes the connections once the running calls have ended. */
  close(): Promise<void>;
}

/** The server and the limits of calls to it. */
interface WebhookOptions {
  /**
   * The current settings of the server, as `loadClientConfig` returns them. Another object replaces
   * the connections.
   */
  readonly settings: () => ConnectionSettings;
  readonly userAgent?: string;
  /** Opens connections through a proxy; absent: they are opened as the settings say. */
  readonly tunnel?: OpenTunnel | undefined;
  /** Overrides of `defaultWebhookLimits`. */
  readonly limits?: Partial<WebhookLimits>;
}

/** The limits of calls to a webhook. */
interface WebhookLimits extends ClientLimits {
  /** How often a call is tried. */
  readonly tries: number;
  /** The pause before the second try; each later one is half as long again. */
  readonly retryMs: number;
}

/** The tries and pauses of kube-apiserver: five within some five seconds, 30 s for each. */
const defaultWebhookLimits: WebhookLimits = Object.freeze({
  tries: 5,
  retryMs: 500,
  timeoutMs: 30_000,
  // A user with thousands of groups takes a tenth of this.
  maxResponseBytes: 1024 * 1024,
  connections: 64,
});

const retryFactor = 1.5;
/** Keeps calls that failed together from being repeated together. */
const retryJitter = 0.2;

/** A client with the settings that it was created with. */
interface CurrentClient {
  readonly settings: ConnectionSettings;
  readonly client: JsonClient;
  readonly authorization: () => Promise<string | undefined>;
}

/** The way through the proxy of a client config. */
function tunnelOf({ proxyUrl }: ConnectionSettings): OpenTunnel | undefined {
  return proxyUrl === undefined ? undefined : (target, signal) => openTunnel(proxyUrl, target, signal);
}

/** Creates a webhook client; the first call connects. */
export function createWebhook({ settings, userAgent = 'apiserver', tunnel, limits: given }: WebhookOptions): Webhook {
  const limits = { ...defaultWebhookLimits, ...given };
  let current: CurrentClient | undefined;

  function clientNow(): CurrentClient {
    const wanted = settings();
    if (current?.settings === wanted) return current;
    void current?.client.close();
    const client = createJsonClient({ ...wanted, tunnel: tunnel ?? tunnelOf(wanted) }, limits);
    current = { settings: wanted, client, authorization: authorizationHeader(wanted) };
    return current;
  }

  async function post(body: string, signal: AbortSignal): Promise<JsonObject> {
    const {
      settings: { server },
      client,
      authorization,
    } = clientNow();
    const credentials = await authorization();
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...(credentials ? { authorization: credentials } : {}),
    };
    const response = await client.request({ method: 'POST', url: server, headers, body, signal });
    return response.body;
  }

  async function postRepeatedly(body: string, signal: AbortSignal): Promise<JsonObject> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await post(body, signal);
      } catch (error) {
        if (attempt >= limits.tries || !(error instanceof CallError && error.isTransient)) throw error;
      }
      await pause(limits.retryMs * retryFactor ** (attempt - 1) * (1 + retryJitter * Math.random()), signal);
      signal.throwIfAborted();
    }
  }

  return {
    call: (document, signal) => postRepeatedly(JSON.stringify(document), signal),
    async send(json, signal) {
      try {
        await postRepeatedly(json, signal);
      } catch (error) {
        // A successful response, often without a body.
        if (!(error instanceof CallError && error.code === 'malformed')) throw error;
      }
    },
    close: async () => current?.client.close(),
  };
}
