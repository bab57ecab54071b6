import type { Authenticator } from '../../authn/authenticator.ts';
import { type BootstrapSecret, bootstrapTokenAuthenticator, readBootstrapSecret } from '../../authn/bootstrap-token.ts';
import type { Authorizer } from '../../authz/authorizer.ts';
import { createRbac, type Rbac } from '../../authz/rbac/rbac.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import { authenticatorsOf } from './authenticators.ts';
import { authorizationModesOf } from '../../config/flags/authorization-options.ts';
import { authorizersOf } from './authorizers.ts';
import type { ServerOptions } from '../../config/server-options.ts';
import { openServiceAccounts, type ServiceAccounts, apiAudiencesOf } from './service-accounts.ts';
import { createIdTokens } from './id-tokens.ts';
import { webhookTokenAuthenticator } from '../../authn/webhook/webhook-tokens.ts';
import { openWebhook } from './open-webhook.ts';
import type { TokenWebhookOptions } from '../../config/flags/token-webhook-flags.ts';

/** The mechanisms that decide who a client is and what it may do. */
export interface Access {
  readonly serviceAccounts: ServiceAccounts;
  /** Tried in order; the first user wins. */
  readonly authenticators: readonly Authenticator[];
  /** Called in order; the first allow or deny is final. */
  readonly authorizers: readonly Authorizer[];
  /** The current roles and bindings, whether or not the mode RBAC is enabled. */
  readonly rbac: Rbac;
}

function bootstrapTokensOf({ identifiers, listerOf }: AccessDependencies): Authenticator {
  const read = (secret: JsonObject): BootstrapSecret => readBootstrapSecret(secret, identifiers);
  return bootstrapTokenAuthenticator({
    identifiers,
    secrets: listerOf({ group: '', resource: 'secrets', read }),
  });
}

/** Creates the authenticators and authorizers. Rejects if a file of theirs cannot be read. */
export async function createAccess(options: ServerOptions, dependencies: AccessDependencies): Promise<Access> {
  const { identifiers, listerOf, signal } = dependencies;
  const rbac = createRbac({ identifiers, listerOf, signal, warm: authorizationModesOf(options).includes('RBAC') });
  const serviceAccounts = await openServiceAccounts(options, dependencies);
  const authenticators = [
    ...(await authenticatorsOf(options, dependencies)),
    serviceAccounts.authenticator,
    ...(options.enableBootstrapTokenAuth ? [bootstrapTokensOf(dependencies)] : []),
    ...(await externalTokensOf(options, dependencies)),
  ];
  return {
    serviceAccounts,
    authenticators,
    authorizers: await authorizersOf(options, dependencies, rbac),
    rbac,
  };
}

/**
 * The authenticators of tokens that other servers issue or review, in order. They come last,
 * because they may have to wait for those servers. Rejects if a file is unusable.
 */
async function externalTokensOf(
  options: ServerOptions,
  dependencies: AccessDependencies,
): Promise<readonly Authenticator[]> {
  const { tokenWebhook } = options;
  const idTokens = await createIdTokens(options, dependencies);
  return [
    ...(idTokens ? [idTokens] : []),
    ...(tokenWebhook ? [await createWebhookTokens(tokenWebhook, options, dependencies)] : []),
  ];
}

/** Creates the authenticator of the token webhook. Rejects if its client config is unusable. */
async function createWebhookTokens(
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
