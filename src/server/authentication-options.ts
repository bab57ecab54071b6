import type { FrontProxyOptions } from './front-proxy-options.ts';
import type { OidcOptions } from './oidc-options.ts';
import type { TokenWebhookOptions } from './token-webhook-options.ts';

/** The options that decide who a client is. */
export interface AuthenticationOptions {
  /** PEM bundle that verifies client certificates; undefined: they identify nobody. */
  readonly clientCaFile?: string;
  /** CSV of `token,user,uid,"group1,group2"`. */
  readonly tokenAuthFile?: string;
  /** Tokens set by the program, for embedding and tests. */
  readonly tokens: readonly StaticToken[];
  /** Accepts the bootstrap tokens in Secrets of the system namespace (spec 5.9). */
  readonly enableBootstrapTokenAuth: boolean;
  /**
   * Serves requests without credentials as the anonymous user. Default: true unless the
   * authorization mode allows everything to everyone (spec 5.6). `alwaysAllowPaths` are readable
   * unless this is set to false.
   */
  readonly anonymousAuth?: boolean;
  /** The only paths that anonymous users may request; undefined: all. */
  readonly anonymousPaths?: readonly string[];
  /** An authenticating proxy; undefined: headers name nobody. */
  readonly frontProxy?: FrontProxyOptions;
  /** An OpenID provider whose ID tokens are accepted. */
  readonly oidc?: OidcOptions;
  /**
   * An AuthenticationConfiguration: issuers of tokens, in place of `oidc`, and the settings of
   * anonymous requests, in place of `anonymousAuth`.
   */
  readonly authenticationConfigFile?: string;
  /** A webhook that authenticates the tokens that no other mechanism knows. */
  readonly tokenWebhook?: TokenWebhookOptions;
}

/** A bearer token and its user. */
export interface StaticToken {
  readonly token: string;
  readonly username: string;
  /** None by default. */
  readonly groups?: readonly string[];
}

/** The defaults of these options. */
export const defaultAuthenticationOptions: AuthenticationOptions = Object.freeze({
  tokens: Object.freeze([]),
  enableBootstrapTokenAuth: false,
});
