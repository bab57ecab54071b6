import { alwaysAllowPathFault } from '../authz/always-allow-paths.ts';
import type { FlagRule, FlagTable, FlagValues } from '../flags/flag-table.ts';
import { checked, list, text } from '../flags/flag-types.ts';
import { defined } from '../meta/defined.ts';
import {
  type AuthorizationMode,
  authorizationModeFault,
  authorizationModes,
  type AuthorizationOptions,
  defaultAuthorizationOptions,
  isAuthorizationMode,
} from './authorization-options.ts';

const publicPaths = checked(list('paths'), (paths) => paths.map(alwaysAllowPathFault).find(Boolean) || undefined);
const modes = checked(list('modes'), authorizationModeFault);
const section = 'Authorization';

/** The flags of authorization. */
export const authorizationFlags = {
  'authorization-mode': {
    type: modes,
    default: ['AlwaysAllow'],
    section,
    help: `how requests are authorized: modes in the order in which they are asked, of ${authorizationModes.join(', ')}`,
  },
  'authorization-always-allow-paths': {
    type: publicPaths,
    default: defaultAuthorizationOptions.alwaysAllowPaths,
    section,
    help: 'paths that can be read without credentials',
  },
  'authorization-policy-file': {
    type: text('file'),
    default: undefined,
    section,
    help: 'policies of the mode ABAC, one JSON object a line; read at the start only',
  },
} as const satisfies FlagTable;

/** Rules about several flags; each returns an error message or undefined. */
export const authorizationFlagRules: readonly FlagRule<typeof authorizationFlags>[] = [
  needsMode('authorization-policy-file', 'ABAC'),
  modeNeeds('ABAC', 'authorization-policy-file', "authorization-mode ABAC's authorization policy file not passed"),
];

type AuthorizationFlag = keyof typeof authorizationFlags;

function needsMode(flag: AuthorizationFlag, mode: AuthorizationMode): FlagRule<typeof authorizationFlags> {
  return ({ values, given }) =>
    given(flag) && !values['authorization-mode'].includes(mode)
      ? `cannot specify --${flag} without mode ${mode}`
      : undefined;
}

function modeNeeds(
  mode: AuthorizationMode,
  flag: AuthorizationFlag,
  message: string,
): FlagRule<typeof authorizationFlags> {
  return ({ values, given }) => (values['authorization-mode'].includes(mode) && !given(flag) ? message : undefined);
}

/** The options that the flags set. */
export function authorizationOptionsOf(values: FlagValues<typeof authorizationFlags>): AuthorizationOptions {
  return {
    alwaysAllowPaths: values['authorization-always-allow-paths'],
    authorizationMode: values['authorization-mode'].filter(isAuthorizationMode),
    ...defined({ authorizationPolicyFile: values['authorization-policy-file'] }),
  };
}
