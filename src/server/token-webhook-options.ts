import type { TokenReviewVersion } from '../authn/webhook/token-review.ts';

/** A webhook that authenticates tokens (spec 5.4). */
export interface TokenWebhookOptions {
  /** The webhook and the credentials of this server, in the format of client config files. */
  readonly clientConfigFile: string;
  /** How long answers are remembered; 0: not at all. */
  readonly cacheTtlMs: number;
  readonly version: TokenReviewVersion;
}

/** The default of `cacheTtlMs`. */
export const defaultTokenCacheTtlMs = 120_000;
