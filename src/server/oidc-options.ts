/** An OpenID provider, as flags describe it (spec 5.3). */
export interface OidcOptions {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly usernameClaim: string;
  /** Undefined: the issuer and `#`, or nothing for the claim `email`. */
  readonly usernamePrefix?: string | undefined;
  readonly groupsClaim?: string | undefined;
  readonly groupsPrefix: string;
  readonly requiredClaims: Readonly<Record<string, string>>;
  readonly signingAlgorithms: readonly string[];
  /** PEM of the CAs that verify the provider; undefined: those of the system. */
  readonly caFile?: string | undefined;
}
