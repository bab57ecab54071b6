import { tokenReviewVersions } from '../authn/webhook/token-review.ts';
import type { FlagTable, FlagValues } from '../flags/flag-table.ts';
import { choice, duration, text } from '../flags/flag-types.ts';
import { defaultTokenCacheTtlMs, type TokenWebhookOptions } from './token-webhook-options.ts';

const section = 'Authentication';

/** The flags of a webhook that authenticates tokens. */
export const tokenWebhookFlags = {
  'authentication-token-webhook-config-file': {
    type: text('file'),
    default: undefined,
    section,
    help: 'client config file of a webhook that authenticates bearer tokens by TokenReviews',
  },
  'authentication-token-webhook-cache-ttl': {
    type: duration(),
    default: defaultTokenCacheTtlMs,
    section,
    help: 'how long the answers of that webhook are remembered; 0 asks for every request',
  },
  'authentication-token-webhook-version': {
    type: choice('version', tokenReviewVersions),
    default: 'v1beta1',
    section,
    help: 'version of the TokenReviews that are sent to that webhook: v1beta1 or v1',
  },
} as const satisfies FlagTable;

/** The options that the flags set; undefined without a webhook. */
export function tokenWebhookOptionsOf(values: FlagValues<typeof tokenWebhookFlags>): TokenWebhookOptions | undefined {
  const clientConfigFile = values['authentication-token-webhook-config-file'];
  if (clientConfigFile === undefined) return undefined;
  return {
    clientConfigFile,
    cacheTtlMs: values['authentication-token-webhook-cache-ttl'],
    version: values['authentication-token-webhook-version'],
  };
}
