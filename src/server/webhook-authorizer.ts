import { webhookAuthorizer } from '../authz/webhook/webhook.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import { loadClientConfig } from '../outbound/load-client-config.ts';
import { createWebhook } from '../outbound/webhook.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import type { WebhookMode } from './authorization-options.ts';
import { Reloaded } from './reloaded.ts';

/**
 * Creates the authorizer of a webhook. Its client config file, and the certificates that this
 * names, are read again at the interval of certificate files. Rejects if the file is unusable.
 */
export async function createWebhookAuthorizer(
  { type, clientConfigFile, ...mode }: WebhookMode,
  { certificateReloadMs: intervalMs }: { readonly certificateReloadMs: number },
  { identifiers, log, signal }: Pick<AccessDependencies, 'identifiers' | 'log' | 'signal'>,
): Promise<Authorizer> {
  const what = `the client config of the authorizer ${mode.name}`;
  const settings = await Reloaded.open({ what, read: () => loadClientConfig(clientConfigFile), intervalMs, log });
  const webhook = createWebhook({ settings: () => settings.current, limits: { timeoutMs: mode.timeoutMs } });
  settings.watch();
  signal.addEventListener('abort', () => {
    settings.close();
    void webhook.close();
  });
  return webhookAuthorizer({
    ...mode,
    call: (review, callSignal) => webhook.call(review, callSignal),
    group: `authorization.${identifiers.apiDomain}`,
    onError: (err) => log.warn({ err }, `failed to make ${type} authorizer request to ${mode.name}`),
    signal,
  });
}
