import { alwaysAllowPathFault } from '../authz/always-allow-paths.ts';
import type { FlagTable, FlagValues } from '../flags/flag-table.ts';
import { checked, choice, list } from '../flags/flag-types.ts';
import { type AuthorizationOptions, defaultAuthorizationOptions } from './authorization-options.ts';

const publicPaths = checked(list('paths'), (paths) => paths.map(alwaysAllowPathFault).find(Boolean) || undefined);
const section = 'Authorization';

/** The flags of authorization. */
export const authorizationFlags = {
  'authorization-mode': {
    type: choice('mode', ['AlwaysAllow', 'AlwaysDeny']),
    default: 'AlwaysAllow',
    section,
    help: 'how authenticated requests are authorized: AlwaysAllow or AlwaysDeny',
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
    authorizationMode: values['authorization-mode'],
  };
}
