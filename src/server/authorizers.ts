import { alwaysAllow } from '../authz/always-allow.ts';
import { alwaysAllowPaths } from '../authz/always-allow-paths.ts';
import { alwaysDeny } from '../authz/always-deny.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import type { ServerOptions } from './server-options.ts';

/** An authorization mode. */
interface ModeRow {
  readonly authorizer: Authorizer;
  /**
   * True if every user may do everything. Anonymous requests are then disabled by default (spec
   * 5.6).
   */
  readonly allowsEveryone: boolean;
}

const modes: Readonly<Record<ServerOptions['authorizationMode'], ModeRow>> = {
  AlwaysAllow: { authorizer: alwaysAllow, allowsEveryone: true },
  AlwaysDeny: { authorizer: alwaysDeny, allowsEveryone: false },
};

/** The enabled authorizers in order. */
export function authorizersOf(options: ServerOptions): readonly Authorizer[] {
  return [alwaysAllowPaths(options.alwaysAllowPaths), modes[options.authorizationMode].authorizer];
}

/** Reports whether the authorization mode allows every request of every user. */
export function allowsEveryone(options: ServerOptions): boolean {
  return modes[options.authorizationMode].allowsEveryone;
}

/**
 * Reports whether requests without credentials are served as the anonymous user. The default is
 * true unless the authorization mode allows everything to everyone.
 */
export function anonymousAuthOf(options: ServerOptions): boolean {
  return options.anonymousAuth ?? !allowsEveryone(options);
}
