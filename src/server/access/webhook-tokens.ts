import type { Authenticator } from '../../authn/authenticator.ts';
import { webhookTokenAuthenticator } from '../../authn/webhook/webhook-tokens.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import { openWebhook } from './open-webhook.ts';
import { apiAudiencesOf } from './service-accounts.ts';
import type { ServerOptions } from '../../config/server-options.ts';
import type { TokenWebhookOptions } from '../../config/flags/token-webhook-flags.ts';

/** Creates the authenticator of the token webhook. Rejects if its client config is unusable. */
export async function createWebhookTokens(
  { clientConfigFile, cacheTtlMs, version }: TokenWebhookOptions,
  options: ServerOptions,
  { identifiers, log, tokenCache: metrics, signal }: AccessDependencies,
): Promise<Authenticator> {
  const what = 'the webhook that authenticates tokens';
  const webhook = await openWebhook({ what, clientConfigFile, reloadMs: options.certificateReloadMs }, { log, signal });
  return webhookTokenAuthenticator({
    call: (review, callSignal) => webhook.call(review, callSignal),
    group: `authentication.${identifiers.apiDomain}`,
    version,
    cacheTtlMs,
    audiences: apiAudiencesOf(options),
    onError: (err) => log.warn({ err }, `${what} did not answer`),
    metrics,
    signal,
  });
}
