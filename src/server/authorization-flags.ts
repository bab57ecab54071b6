import { alwaysAllowPathFault } from '../authz/always-allow-paths.ts';
import { reviewVersions } from '../authz/webhook/subject-access-review.ts';
import type { FlagRule, FlagTable, FlagValues } from '../flags/flag-table.ts';
import { checked, choice, duration, list, text } from '../flags/flag-types.ts';
import { defined } from '../meta/defined.ts';
import {
  type AuthorizationMode,
  authorizationModeFault,
  authorizationModes,
  type AuthorizationOptions,
  type ConfiguredMode,
  defaultAuthorizationOptions,
  isPlainMode,
  webhookDefaults,
} from './authorization-options.ts';

const publicPaths = checked(list('paths'), (paths) => paths.map(alwaysAllowPathFault).find(Boolean) || undefined);
const modes = checked(list('modes'), authorizationModeFault);
const file = text('file');
const section = 'Authorization';

/** The flags of authorization. */
export const authorizationFlags = {
  'authorization-mode': {
    type: modes,
    default: ['AlwaysAllow'],
    section,
    help: `how requests are authorized: modes in the order in which they are asked, of ${authorizationModes.join(', ')}`,
  },
  'authorization-config': {
    type: file,
    default: undefined,
    section,
    help: 'an AuthorizationConfiguration, instead of the flags of modes and webhooks; read at the start only',
  },
  'authorization-policy-file': {
    type: file,
    default: undefined,
    section,
    help: 'policies of the mode ABAC, one JSON object a line; read at the start only',
  },
  'authorization-webhook-config-file': {
    type: file,
    default: undefined,
    section,
    help: 'client config file with the server of the mode Webhook and the credentials to present',
  },
  'authorization-webhook-version': {
    type: choice('version', reviewVersions),
    default: 'v1beta1',
    section,
    help: 'version of the SubjectAccessReviews that the webhook gets: v1beta1 or v1',
  },
  'authorization-webhook-cache-authorized-ttl': {
    type: duration(),
    default: webhookDefaults.authorizedTtlMs,
    section,
    help: 'time for which the webhook is not asked again about a request that it allowed',
  },
  'authorization-webhook-cache-unauthorized-ttl': {
    type: duration(),
    default: webhookDefaults.unauthorizedTtlMs,
    section,
    help: 'time for which the webhook is not asked again about a request that it did not allow',
  },
  'authorization-always-allow-paths': {
    type: publicPaths,
    default: defaultAuthorizationOptions.alwaysAllowPaths,
    section,
    help: 'paths that everyone may read, without credentials unless --anonymous-auth=false',
  },
} as const satisfies FlagTable;

type AuthorizationFlag = keyof typeof authorizationFlags;
type AuthorizationRule = FlagRule<typeof authorizationFlags>;

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

type AuthorizationValues = FlagValues<typeof authorizationFlags>;

/** The options that the flags set. */
export function authorizationOptionsOf(values: AuthorizationValues): AuthorizationOptions {
  return {
    alwaysAllowPaths: values['authorization-always-allow-paths'],
    authorizationMode: values['authorization-mode'].flatMap((name) => modesNamed(name, values)),
    ...defined({
      authorizationPolicyFile: values['authorization-policy-file'],
      authorizationConfigFile: values['authorization-config'],
    }),
  };
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
