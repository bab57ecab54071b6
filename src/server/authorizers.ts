import { alwaysAllow } from '../authz/always-allow.ts';
import { alwaysDeny } from '../authz/always-deny.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import type { ServerOptions } from './server-options.ts';

const byMode: Readonly<Record<ServerOptions['authorizationMode'], Authorizer>> = {
  AlwaysAllow: alwaysAllow,
  AlwaysDeny: alwaysDeny,
};

/** The modules that the options turn on, in the order in which they are asked. */
export function authorizersOf(options: ServerOptions): readonly Authorizer[] {
  return [byMode[options.authorizationMode]];
}
