import { abacAuthorizer } from './abac-policies.ts';
import { alwaysAllow } from '../authz/always-allow.ts';
import { alwaysAllowPaths } from '../authz/always-allow-paths.ts';
import { alwaysDeny } from '../authz/always-deny.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import { privilegedGroup } from '../authz/privileged-group.ts';
import type { Rbac } from '../authz/rbac/rbac.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import { type AuthorizationMode, authorizationModeFault, authorizationModesOf } from './authorization-options.ts';
import type { ServerOptions } from './server-options.ts';

interface ModeDependencies extends AccessDependencies {
  readonly rbac: Rbac;
}

/** An authorization mode. */
interface ModeRow {
  /** Creates its authorizer. May reject if a file cannot be read. */
  readonly create: (options: ServerOptions, dependencies: ModeDependencies) => Authorizer | Promise<Authorizer>;
  /**
   * True if every user may do everything. Anonymous requests are then disabled by default (spec
   * 5.6).
   */
  readonly allowsEveryone: boolean;
}

const modes: Readonly<Record<AuthorizationMode, ModeRow>> = {
  AlwaysAllow: { create: () => alwaysAllow, allowsEveryone: true },
  AlwaysDeny: { create: () => alwaysDeny, allowsEveryone: false },
  ABAC: { create: abacAuthorizer, allowsEveryone: false },
  RBAC: { create: (_, { rbac }) => rbac.authorizer, allowsEveryone: false },
};

/**
 * The enabled authorizers in order. Rejects with RangeError for invalid modes, and if a file
 * cannot be read.
 */
export async function authorizersOf(
  options: ServerOptions,
  dependencies: ModeDependencies,
): Promise<readonly Authorizer[]> {
  const names = authorizationModesOf(options);
  const fault = authorizationModeFault(names);
  if (fault !== undefined) throw new RangeError(fault);
  const chosen = names.map(async (name) => await modes[name].create(options, dependencies));
  return [
    privilegedGroup('system:masters'),
    alwaysAllowPaths(options.alwaysAllowPaths),
    ...(await Promise.all(chosen)),
  ];
}

/** Reports whether one of the authorization modes allows every request of every user. */
export function allowsEveryone(options: ServerOptions): boolean {
  return authorizationModesOf(options).some((name) => modes[name].allowsEveryone);
}

/**
 * Reports whether requests without credentials are served as the anonymous user. The default is
 * true unless an authorization mode allows everything to everyone.
 */
export function anonymousAuthOf(options: ServerOptions): boolean {
  return options.anonymousAuth ?? !allowsEveryone(options);
}
