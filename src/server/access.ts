import type { Authenticator } from '../authn/authenticator.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import { createRbac, type Rbac } from '../authz/rbac/rbac.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import { authenticatorsOf } from './authenticators.ts';
import { authorizationModesOf } from './authorization-options.ts';
import { authorizersOf } from './authorizers.ts';
import type { ServerOptions } from './server-options.ts';
import { openServiceAccounts, type ServiceAccounts } from './service-accounts.ts';

/** The mechanisms that decide who a client is and what it may do. */
interface Access {
  readonly serviceAccounts: ServiceAccounts;
  /** Tried in order; the first user wins. */
  readonly authenticators: readonly Authenticator[];
  /** Called in order; the first allow or deny is final. */
  readonly authorizers: readonly Authorizer[];
  /** The current roles and bindings, whether or not the mode RBAC is enabled. */
  readonly rbac: Rbac;
}

/** Creates the authenticators and authorizers. Rejects if a file of theirs cannot be read. */
export async function createAccess(options: ServerOptions, dependencies: AccessDependencies): Promise<Access> {
  const rbac = createRbac({ ...dependencies, warm: authorizationModesOf(options).includes('RBAC') });
  const serviceAccounts = await openServiceAccounts(options, dependencies);
  return {
    serviceAccounts,
    authenticators: [...(await authenticatorsOf(options, dependencies)), serviceAccounts.authenticator],
    authorizers: await authorizersOf(options, { ...dependencies, rbac }),
    rbac,
  };
}
