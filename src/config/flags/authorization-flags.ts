import { alwaysAllowPathError } from '../../authz/always-allow-paths.ts';
import { reviewVersions } from '../../authz/webhook/subject-access-review.ts';
import { flagsOf } from '../../flags/flag-options.ts';
import { inSection, type FlagRule, type FlagValues } from '../../flags/flag-table.ts';
import { checked, choice, duration, list, text } from '../../flags/flag-types.ts';
import {
  type AuthorizationMode,
  authorizationModeError,
  authorizationModes,
  type ConfiguredMode,
  defaultMode,
  isPlainMode,
  webhookDefaults,
} from './authorization-options.ts';

const publicPaths = checked(list('paths'), (paths) => paths.map(alwaysAllowPathError).find(Boolean) || undefined);
const modes = checked(list('modes'), authorizationModeError);
const file = text('file');
/** The flags of authorization. */
export const authorizationFlags = inSection('Authorization', {
  'authorization-mode': {
    type: modes,
    default: [defaultMode],
    help: `how requests are authorized: modes in the order in which they are asked, of ${authorizationModes.join(', ')}`,
  },
  /** An AuthorizationConfiguration, whose modes replace `authorizationMode`. */
  authorizationConfigFile: {
    flag: 'authorization-config',
    type: file,
    help: 'an AuthorizationConfiguration, instead of the flags of modes and webhooks; read at the start only',
  },
  /** The policies of the mode `ABAC`: one JSON object a line. */
  authorizationPolicyFile: {
    flag: 'authorization-policy-file',
    type: file,
    help: 'policies of the mode ABAC, one JSON object a line; read at the start only',
  },
  'authorization-webhook-config-file': {
    type: file,
    help: 'client config file with the server of the mode Webhook and the credentials to present',
  },
  'authorization-webhook-version': {
    type: choice('version', reviewVersions),
    default: 'v1beta1',
    help: 'version of the SubjectAccessReviews that the webhook gets: v1beta1 or v1',
  },
  'authorization-webhook-cache-authorized-ttl': {
    type: duration(),
    default: webhookDefaults.authorizedTtlMs,
    help: 'time for which the webhook is not asked again about a request that it allowed',
  },
  'authorization-webhook-cache-unauthorized-ttl': {
    type: duration(),
    default: webhookDefaults.unauthorizedTtlMs,
    help: 'time for which the webhook is not asked again about a request that it did not allow',
  },
  /**
   * Paths that everyone may read, without credentials unless `anonymousAuth` is set to false. A
   * trailing `/*` stands for all paths below.
   */
  alwaysAllowPaths: {
    flag: 'authorization-always-allow-paths',
    type: publicPaths,
    default: ['/healthz', '/livez', '/readyz'],
    help: 'paths that everyone may read, without credentials unless --anonymous-auth=false',
  },
});

const flags = flagsOf(authorizationFlags);

type AuthorizationFlag = keyof typeof flags;
type AuthorizationRule = FlagRule<typeof flags>;

/** The flags that `--authorization-config` replaces. */
const replacedFlags = [
  'authorization-mode',
  'authorization-webhook-config-file',
  'authorization-webhook-version',
  'authorization-webhook-cache-authorized-ttl',
  'authorization-webhook-cache-unauthorized-ttl',
] satisfies AuthorizationFlag[];

/** Rules about several flags; each returns an error message or undefined. */
export const authorizationFlagRules: readonly AuthorizationRule[] = [
  ({ given }) =>
    given('authorization-config') && replacedFlags.some(given)
      ? '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined'
      : undefined,
  needsMode('authorization-policy-file', 'ABAC'),
  needsMode('authorization-webhook-config-file', 'Webhook'),
  modeNeeds('ABAC', 'authorization-policy-file', "authorization-mode ABAC's authorization policy file not passed"),
  modeNeeds(
    'Webhook',
    'authorization-webhook-config-file',
    "authorization-mode Webhook's authorization config file not passed",
  ),
];

function needsMode(flag: AuthorizationFlag, mode: AuthorizationMode): AuthorizationRule {
  return ({ values, given }) =>
    given(flag) && !given('authorization-config') && !values['authorization-mode'].includes(mode)
      ? `cannot specify --${flag} without mode ${mode}`
      : undefined;
}

function modeNeeds(mode: AuthorizationMode, flag: AuthorizationFlag, message: string): AuthorizationRule {
  return ({ values, given }) => (values['authorization-mode'].includes(mode) && !given(flag) ? message : undefined);
}

type AuthorizationValues = FlagValues<typeof flags>;

/** The modes that the flags name, with their settings. */
export function flaggedModes(values: AuthorizationValues): readonly ConfiguredMode[] {
  return values['authorization-mode'].flatMap((name) => modesNamed(name, values));
}

/** The mode with a name: one, as the names are valid. */
function modesNamed(name: string, values: AuthorizationValues): readonly ConfiguredMode[] {
  if (isPlainMode(name)) return [name];
  const clientConfigFile = values['authorization-webhook-config-file'];
  if (clientConfigFile === undefined) return [];
  return [
    {
      type: 'Webhook',
      name: 'Webhook',
      clientConfigFile,
      version: values['authorization-webhook-version'],
      authorizedTtlMs: values['authorization-webhook-cache-authorized-ttl'],
      unauthorizedTtlMs: values['authorization-webhook-cache-unauthorized-ttl'],
      timeoutMs: webhookDefaults.timeoutMs,
      onFailure: 'no-opinion',
    },
  ];
}
