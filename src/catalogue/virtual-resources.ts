import type { Authenticator } from '../authn/authenticator.ts';
import { identify } from '../authn/find-user.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import { explain, mayExplain } from '../authz/may-explain.ts';
import { listRules } from '../authz/list-rules.ts';
import { decideAccess } from '../authz/decide-access.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { Registries } from '../registry/definition/registry.ts';
import { StatusError } from '../status/status-error.ts';
import { selfSubjectReview } from '../resources/authentication/selfsubjectreviews/self-subject-review.ts';
import {
  type AuthenticateToken,
  createTokenReview,
} from '../resources/authentication/tokenreviews/create-token-review.ts';
import {
  type AccessReviewer,
  localSubjectAccessReview,
  selfSubjectAccessReview,
  subjectAccessReview,
} from '../resources/authorization/access-review.ts';
import { selfSubjectRulesReview } from '../resources/authorization/selfsubjectrulesreviews/self-subject-rules-review.ts';
import { createBinding } from '../resources/core/bindings/create-binding.ts';
import type { VirtualCreate } from '../registry/definition/virtual-create.ts';

/**
 * The dependencies of virtual resources. The server's requests have the same authenticators and
 * authorizers.
 */
interface VirtualDependencies {
  readonly identifiers: Identifiers;
  readonly authenticators: readonly Authenticator[];
  readonly authorizers: readonly Authorizer[];
  /** True if authorizers see the selectors of reviews. */
  readonly authorizeWithSelectors: boolean;
  /** The audiences of the server. */
  readonly apiAudiences: readonly string[];
  readonly registries: Registries;
}

/** The handlers of all virtual resources, by `group/resource` with the full group name. */
export function virtualResources(dependencies: VirtualDependencies): ReadonlyMap<string, VirtualCreate> {
  const { identifiers, authorizers } = dependencies;
  const reviewer = accessReviewer(dependencies);
  return new Map([
    ['/bindings', createBinding(dependencies.registries)],
    [`authentication.${identifiers.apiDomain}/selfsubjectreviews`, selfSubjectReview],
    [`authentication.${identifiers.apiDomain}/tokenreviews`, createTokenReview(tokenAuthenticator(dependencies))],
    [`authorization.${identifiers.apiDomain}/subjectaccessreviews`, subjectAccessReview(reviewer)],
    [`authorization.${identifiers.apiDomain}/selfsubjectaccessreviews`, selfSubjectAccessReview(reviewer)],
    [`authorization.${identifiers.apiDomain}/localsubjectaccessreviews`, localSubjectAccessReview(reviewer)],
    [
      `authorization.${identifiers.apiDomain}/selfsubjectrulesreviews`,
      selfSubjectRulesReview((user, namespace) => listRules(authorizers, user, namespace)),
    ],
  ]);
}

/**
 * Decides reviews as requests are decided. Explains them to users who may list all roles and
 * bindings.
 */
function accessReviewer({ identifiers, authorizers, authorizeWithSelectors }: VirtualDependencies): AccessReviewer {
  return {
    withSelectors: authorizeWithSelectors,
    authorize: async (attributes) => decideAccess(authorizers, attributes),
    async explain(attributes, asker) {
      return (await mayExplain(authorizers, identifiers, asker)) ? explain(authorizers, attributes) : undefined;
    },
  };
}

/**
 * Authenticates a token as if it came with a request that has no other credentials. A credential
 * without audiences is for this server.
 */
function tokenAuthenticator({ authenticators, apiAudiences }: VirtualDependencies): AuthenticateToken {
  return async (token, named, scope) => {
    const audiences = named.length > 0 ? named : apiAudiences;
    const headers = { clientCertificate: undefined, rawHeaders: [] };
    const found = await identify(authenticators, {
      bearerToken: token,
      ...headers,
      audiences,
      audited: scope,
      warnings: { add: (text) => scope.warn(text) },
      cancellation: scope.cancellation,
    });
    if (found instanceof StatusError && found.reason !== 'Unauthorized') throw found;
    if (found instanceof StatusError) return { error: `[${invalidToken}, ${reasonOf(found)}]` };
    if (!found) return { error: invalidToken };
    const shared = (found.audiences ?? apiAudiences).filter((audience) => audiences.includes(audience));
    return shared.length === 0 ? { error: invalidToken } : { user: found.user, audiences: shared };
  };
}

const invalidToken = 'invalid bearer token';

/** The reason of a refusal, which requests do not get to know. */
function reasonOf({ cause, message }: StatusError): string {
  return cause instanceof Error ? cause.message : message;
}
