/** The options that decide what a user may do. */
export interface AuthorizationOptions {
  /**
   * Paths that everyone may read without credentials. A trailing `/*` stands for all paths below.
   */
  readonly alwaysAllowPaths: readonly string[];
  readonly authorizationMode: 'AlwaysAllow' | 'AlwaysDeny';
}

/** The defaults of these options. */
export const defaultAuthorizationOptions: AuthorizationOptions = Object.freeze({
  alwaysAllowPaths: Object.freeze(['/healthz', '/livez', '/readyz', '/version']),
  authorizationMode: 'AlwaysAllow',
});
