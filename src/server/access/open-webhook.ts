import { defined } from '../../meta/json-value.ts';
import { loadClientConfig } from '../../outbound/config/load-client-config.ts';
import { createWebhook, type Webhook } from '../../outbound/webhooks/webhook.ts';
import type { OpenTunnel } from '../../outbound/proxy/send-connect.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import { Reloaded } from '../../listen/reloaded.ts';

/** A webhook of the configuration. */
interface OpenWebhookOptions {
  /** Names the webhook in the log. */
  readonly what: string;
  readonly clientConfigFile: string;
  /** The time of one try. */
  readonly timeoutMs?: number;
  /** The pause before the second try. */
  readonly retryMs?: number;
  /** Time between two reads of the files. */
  readonly reloadMs: number;
  /** Opens connections through a proxy; absent: they are opened directly. */
  readonly tunnel?: OpenTunnel | undefined;
}

/**
 * Opens a webhook until the server stops. Its client config file, and the certificates that this
 * names, are read again periodically. Rejects if the file is unusable.
 */
export async function openWebhook(
  { what, clientConfigFile, timeoutMs, retryMs, reloadMs: intervalMs, tunnel }: OpenWebhookOptions,
  { log, signal }: Pick<AccessDependencies, 'log' | 'signal'>,
): Promise<Webhook> {
  const file = `the client config of ${what}`;
  const read = () => loadClientConfig(clientConfigFile, { fixedCredentials: true });
  const settings = await Reloaded.open({ what: file, read, intervalMs, log }).catch((cause: unknown) => {
    throw new Error(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  });
  const webhook = createWebhook({
    settings: () => settings.current,
    tunnel,
    limits: defined({ timeoutMs, retryMs }),
  });
  settings.watch();
  signal.addEventListener('abort', () => {
    settings.close();
    void webhook.close();
  });
  return webhook;
}
