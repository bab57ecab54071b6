import type { ReviewVersion } from '../../authz/webhook/subject-access-review.ts';

/** The modes that need no settings of their own. */
const plainModes = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'RBAC', 'Node'] as const;

/** The authorization modes, as `--authorization-mode` names them. */
export const authorizationModes = [...plainModes, 'Webhook'] as const;

/** An authorization mode without settings of its own. */
export type PlainMode = (typeof plainModes)[number];

/** The name of an authorization mode. */
export type AuthorizationMode = (typeof authorizationModes)[number];

/** A webhook that is asked for decisions by SubjectAccessReviews. */
export interface WebhookMode {
  readonly type: 'Webhook';
  /** The name of the authorizer in messages and metrics. */
  readonly name: string;
  /** A client config file with its address, its CA, and the credentials to present. */
  readonly clientConfigFile: string;
  /** The version of the reviews. */
  readonly version: ReviewVersion;
  /** How long an allowed request is remembered; 0: not at all. */
  readonly authorizedTtlMs: number;
  /** How long any other answer is remembered; 0: not at all. */
  readonly unauthorizedTtlMs: number;
  /** The time for all tries of a call. */
  readonly timeoutMs: number;
  /** The decision if the webhook gives none. */
  readonly onFailure: 'no-opinion' | 'deny';
  /** Expressions (CEL) over the `request`; the webhook is asked if all hold. None by default. */
  readonly matchConditions?: readonly string[];
}

/** An authorization mode with its settings, if it has any. */
export type ConfiguredMode = PlainMode | WebhookMode;

/** The mode of a server for which none is given. */
export const defaultMode: PlainMode = 'AlwaysAllow';

/** The options of authorization, besides the options of single flags. */
export interface AuthorizationOptions {
  /** The mode, or the modes in the order in which they are asked. */
  readonly authorizationMode: ConfiguredMode | readonly ConfiguredMode[];
}

/** The settings of a webhook that is configured by flags, without its file and version. */
export const webhookDefaults = Object.freeze({
  authorizedTtlMs: 300_000,
  unauthorizedTtlMs: 30_000,
  timeoutMs: 30_000,
});

/** The modes of the options with their settings, in order. */
export function configuredModes({ authorizationMode: given }: AuthorizationOptions): readonly ConfiguredMode[] {
  return typeof given === 'string' || 'type' in given ? [given] : given;
}

/** The names of the modes of the options, in order. */
export function authorizationModesOf(options: AuthorizationOptions): readonly AuthorizationMode[] {
  return configuredModes(options).map((mode) => (typeof mode === 'string' ? mode : mode.type));
}

/** Reports whether a name is a mode without settings. */
export function isPlainMode(name: string): name is PlainMode {
  return plainModes.some((mode) => mode === name);
}

/**
 * Validates a list of modes; returns the error message, undefined if it is valid. Only the modes
 * in `repeatable` may be given more than once.
 */
export function authorizationModeError(
  names: readonly string[],
  repeatable: readonly string[] = [],
): string | undefined {
  if (names.length === 0) return 'at least one authorization mode must be given';
  const unknown = names.find((name) => !authorizationModes.some((mode) => mode === name));
  if (unknown !== undefined) {
    return `authorization mode ${JSON.stringify(unknown)} is not a valid mode; use ${authorizationModes.join(', ')}`;
  }
  const repeated = names.find((name, index) => names.indexOf(name) < index && !repeatable.includes(name));
  return repeated === undefined ? undefined : `authorization mode ${repeated} is given more than once`;
}
