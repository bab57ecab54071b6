import type { Authenticator } from '../../authn/authenticator.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import { createIdTokens } from './id-tokens.ts';
import type { ServerOptions } from '../../config/server-options.ts';
import { createWebhookTokens } from './webhook-tokens.ts';

/**
 * The authenticators of tokens that other servers issue or review, in order. They come last,
 * because they may have to wait for those servers. Rejects if a file is unusable.
 */
export async function externalTokensOf(
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
