/** The options of tokens of service accounts (spec 5.2). */
export interface ServiceAccountOptions {
  /**
   * The issuers of accepted tokens; the first one is that of new tokens. None:
   * `https://<product>.default.svc`.
   */
  readonly serviceAccountIssuers: readonly string[];
  /**
   * Files with PEM keys that verify tokens, public or private. The key that signs tokens verifies
   * them too.
   */
  readonly serviceAccountKeyFiles: readonly string[];
  /**
   * PEM private key that signs tokens; undefined: a key of this server's own, in `certDir` or in
   * memory.
   */
  readonly serviceAccountSigningKeyFile?: string;
  /** True if tokens of Secrets need their Secret and their account. */
  readonly serviceAccountLookup: boolean;
  /** The longest lifetime of a new token; 0: no limit but that of the API, 2^32 seconds. */
  readonly serviceAccountMaxTokenExpirationMs: number;
  /**
   * Makes tokens of projected volumes valid for a year, for clients that do not read new ones. The
   * use of such a token after its hour is counted.
   */
  readonly serviceAccountExtendTokenExpiration: boolean;
  /** The audiences of this server; none: the issuers. */
  readonly apiAudiences: readonly string[];
  /** The published URL of the keys; undefined: that of this server. */
  readonly serviceAccountJwksUri?: string;
}

/** The defaults of these options. */
export const defaultServiceAccountOptions: ServiceAccountOptions = Object.freeze({
  serviceAccountIssuers: Object.freeze([]),
  serviceAccountKeyFiles: Object.freeze([]),
  serviceAccountLookup: true,
  serviceAccountMaxTokenExpirationMs: 0,
  serviceAccountExtendTokenExpiration: true,
  apiAudiences: Object.freeze([]),
});
