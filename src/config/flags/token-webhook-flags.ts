import { tokenReviewVersions } from '../../authn/webhook/token-review.ts';
import type { GroupOf } from '../../flags/flag-options.ts';
import { inSection } from '../../flags/flag-table.ts';
import { choice, duration, text } from '../../flags/flag-types.ts';

/** The flags of a webhook that authenticates tokens. */
export const tokenWebhookFlags = inSection('Authentication', {
  /** The webhook and the credentials of this server, in the format of client config files. */
  clientConfigFile: {
    flag: 'authentication-token-webhook-config-file',
    type: text('file'),
    help: 'client config file of a webhook that authenticates bearer tokens by TokenReviews',
  },
  /** How long answers are remembered; 0: not at all. */
  cacheTtlMs: {
    flag: 'authentication-token-webhook-cache-ttl',
    type: duration(),
    default: 120_000,
    help: 'how long the answers of that webhook are remembered; 0 asks for every request',
  },
  version: {
    flag: 'authentication-token-webhook-version',
    type: choice('version', tokenReviewVersions),
    default: 'v1beta1',
    help: 'version of the TokenReviews that are sent to that webhook: v1beta1 or v1',
  },
});

/** A webhook that authenticates tokens (spec 5.4). */
export type TokenWebhookOptions = GroupOf<typeof tokenWebhookFlags, 'clientConfigFile'>;
