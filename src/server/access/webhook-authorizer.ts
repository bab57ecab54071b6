import type { WebhookMetrics } from '../../authz/webhook/webhook-metrics.ts';
import { webhookAuthorizer } from '../../authz/webhook/webhook.ts';
import type { Authorizer } from '../../authz/authorizer.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import type { WebhookMode } from '../../config/flags/authorization-options.ts';
import { createExpressionCompiler } from '../../config/expression-compiler.ts';
import { openWebhook } from './open-webhook.ts';

interface WebhookDependencies extends Pick<AccessDependencies, 'identifiers' | 'log' | 'signal'> {
  /** Returns the metrics of all webhooks; their families exist from the first call on. */
  readonly webhookMetrics: () => WebhookMetrics;
}

/**
 * Creates the authorizer of a webhook. Its client config file, and the certificates that this
 * names, are read again at the interval of certificate files. Rejects if the file is unusable.
 */
export async function createWebhookAuthorizer(
  { type, clientConfigFile, matchConditions = [], ...mode }: WebhookMode,
  { certificateReloadMs: reloadMs }: { readonly certificateReloadMs: number },
  { identifiers, log, signal, webhookMetrics }: WebhookDependencies,
): Promise<Authorizer> {
  const webhook = await openWebhook(
    { what: `the authorizer ${mode.name}`, clientConfigFile, timeoutMs: mode.timeoutMs, reloadMs },
    { log, signal },
  );
  const compile = matchConditions.length === 0 ? undefined : (await createExpressionCompiler()).compile;
  return webhookAuthorizer({
    ...mode,
    matchConditions: compile ? matchConditions.map((text) => compile(text, ['request'])) : [],
    call: (review, callSignal) => webhook.call(review, callSignal),
    group: `authorization.${identifiers.apiDomain}`,
    onError: (err) => log.warn({ err }, `failed to make ${type} authorizer request to ${mode.name}`),
    metrics: webhookMetrics(),
    signal,
  });
}
