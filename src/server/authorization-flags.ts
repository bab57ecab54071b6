import { alwaysAllowPathFault } from '../authz/always-allow-paths.ts';
import type { FlagTable, FlagValues } from '../flags/flag-table.ts';
import { checked, list } from '../flags/flag-types.ts';
import {
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
} as const satisfies FlagTable;

/** The options that the flags set. */
export function authorizationOptionsOf(values: FlagValues<typeof authorizationFlags>): AuthorizationOptions {
  return {
    alwaysAllowPaths: values['authorization-always-allow-paths'],
    authorizationMode: values['authorization-mode'].filter(isAuthorizationMode),
  };
}
