import { alwaysAllow } from '../authz/always-allow.ts';
import { alwaysAllowPaths } from '../authz/always-allow-paths.ts';
import { alwaysDeny } from '../authz/always-deny.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import type { ServerOptions } from './server-options.ts';

/** One authorization mode. */
interface ModeRow {
  readonly authorizer: Authorizer;
  /** Whether it allows requests without regard to the user. Anonymous requests are then off by default (spec 5.6). */
  readonly allowsEveryone: boolean;
}

const modes: Readonly<Record<ServerOptions['authorizationMode'], ModeRow>> = {
  AlwaysAllow: { authorizer: alwaysAllow, allowsEveryone: true },
  AlwaysDeny: { authorizer: alwaysDeny, allowsEveryone: false },
};

/** The modules that the options turn on, in the order in which they are asked. */
export function authorizersOf(options: ServerOptions): readonly Authorizer[] {
  return [alwaysAllowPaths(options.alwaysAllowPaths), modes[options.authorizationMode].authorizer];
}

/** Whether the authorization mode allows everything to every user whom it is asked about. */
export function allowsEveryone(options: ServerOptions): boolean {
  return modes[options.authorizationMode].allowsEveryone;
}

/**
 * Whether requests without credentials are served as the anonymous user: as the options say, else only where the
 * authorization mode does not allow everything to everyone.
 */
export function anonymousAuthOf(options: ServerOptions): boolean {
  return options.anonymousAuth ?? !allowsEveryone(options);
}
