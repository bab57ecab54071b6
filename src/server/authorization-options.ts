/** The authorization modes, as `--authorization-mode` names them. */
export const authorizationModes = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'RBAC'] as const;

/** An authorization mode. */
export type AuthorizationMode = (typeof authorizationModes)[number];

/** The options that decide what a user may do. */
export interface AuthorizationOptions {
  /**
   * Paths that everyone may read without credentials. A trailing `/*` stands for all paths below.
   */
  readonly alwaysAllowPaths: readonly string[];
  /** The mode, or the modes in the order in which they are asked. */
  readonly authorizationMode: AuthorizationMode | readonly AuthorizationMode[];
  /** The policies of the mode `ABAC`: one JSON object a line. */
  readonly authorizationPolicyFile?: string;
}

/** The defaults of these options. */
export const defaultAuthorizationOptions: AuthorizationOptions = Object.freeze({
  alwaysAllowPaths: Object.freeze(['/healthz', '/livez', '/readyz', '/version']),
  authorizationMode: 'AlwaysAllow',
});

/** The modes of the options, in order. */
export function authorizationModesOf({
  authorizationMode: given,
}: Pick<AuthorizationOptions, 'authorizationMode'>): readonly AuthorizationMode[] {
  return typeof given === 'string' ? [given] : given;
}

/** Reports whether a name is a mode. */
export function isAuthorizationMode(name: string): name is AuthorizationMode {
  return authorizationModes.some((mode) => mode === name);
}

/** Validates a list of modes; returns the error message, undefined if it is valid. */
export function authorizationModeFault(names: readonly string[]): string | undefined {
  if (names.length === 0) return 'at least one authorization mode must be given';
  const unknown = names.find((name) => !isAuthorizationMode(name));
  if (unknown !== undefined) {
    return `authorization mode ${JSON.stringify(unknown)} is not a valid mode; use ${authorizationModes.join(', ')}`;
  }
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  return repeated === undefined ? undefined : `authorization mode ${repeated} is given more than once`;
}
