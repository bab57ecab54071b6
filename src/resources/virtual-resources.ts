import type { Authenticator } from '../authn/authenticator.ts';
import { authenticate } from '../authn/union.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import type { UserInfo } from '../meta/user-info.ts';
import { authorize } from '../authz/union.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import type { Registries } from '../registry/registry.ts';
import { StatusError } from '../status/status-error.ts';
import { selfSubjectReview } from './authentication/selfsubjectreviews/create.ts';
import { type AuthenticateToken, tokenReview } from './authentication/tokenreviews/create.ts';
import type { Authorize } from './authorization/access-review.ts';
import { localSubjectAccessReview } from './authorization/localsubjectaccessreviews/create.ts';
import { selfSubjectAccessReview } from './authorization/selfsubjectaccessreviews/create.ts';
import { selfSubjectRulesReview, type UserRules } from './authorization/selfsubjectrulesreviews/create.ts';
import { subjectAccessReview } from './authorization/subjectaccessreviews/create.ts';
import { createBinding } from './core/bindings/create.ts';
import type { VirtualCreate } from '../registry/virtual-create.ts';

/**
 * The dependencies of virtual resources. Authenticators and authorizers are those of the server's
 * requests.
 */
interface VirtualDependencies {
  readonly identifiers: Identifiers;
  readonly authenticators: readonly Authenticator[];
  readonly authorizers: readonly Authorizer[];
  readonly registries: Registries;
}

/** The handlers of all virtual resources, by `group/resource` with the full group name. */
export function virtualResources(dependencies: VirtualDependencies): ReadonlyMap<string, VirtualCreate> {
  const { identifiers, authenticators, authorizers } = dependencies;
  const decide: Authorize = async (attributes) => authorize(authorizers, attributes);
  return new Map([
    ['/bindings', createBinding(dependencies.registries)],
    [`authentication.${identifiers.apiDomain}/selfsubjectreviews`, selfSubjectReview],
    [`authentication.${identifiers.apiDomain}/tokenreviews`, tokenReview(tokenAuthenticator(authenticators))],
    [`authorization.${identifiers.apiDomain}/subjectaccessreviews`, subjectAccessReview(decide)],
    [`authorization.${identifiers.apiDomain}/selfsubjectaccessreviews`, selfSubjectAccessReview(decide)],
    [`authorization.${identifiers.apiDomain}/localsubjectaccessreviews`, localSubjectAccessReview(decide)],
    [
      `authorization.${identifiers.apiDomain}/selfsubjectrulesreviews`,
      selfSubjectRulesReview((user, namespace) => rulesOf(authorizers, user, namespace)),
    ],
  ]);
}

/** Authenticates a token as if it came with a request that has no other credentials. */
function tokenAuthenticator(authenticators: readonly Authenticator[]): AuthenticateToken {
  return async (token, signal) => {
    const request = { bearerToken: token, clientCertificate: undefined, rawHeaders: [], cancellation: { signal } };
    try {
      return { user: await authenticate(authenticators, request, { anonymous: false }) };
    } catch (error) {
      if (error instanceof StatusError && error.reason === 'Unauthorized') return undefined;
      throw error;
    }
  };
}

/**
 * The rules of a user. Authorizers cannot list rules, so this only asks whether everything is
 * allowed. Any other result is reported as incomplete.
 */
async function rulesOf(authorizers: readonly Authorizer[], user: UserInfo, namespace: string): Promise<UserRules> {
  const everything = { user, verb: '*', apiGroup: '*', apiVersion: '*', resource: '*', subresource: '', name: '' };
  const [resources, paths] = await Promise.all([
    authorize(authorizers, { ...everything, resourceRequest: true, namespace, path: '' }),
    authorize(authorizers, { ...everything, resourceRequest: false, namespace: '', path: '*' }),
  ]);
  const complete = resources.decision === 'allow' && paths.decision === 'allow';
  return {
    resourceRules: resources.decision === 'allow' ? [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] : [],
    nonResourceRules: paths.decision === 'allow' ? [{ verbs: ['*'], nonResourceURLs: ['*'] }] : [],
    incomplete: !complete,
    evaluationError: complete ? '' : 'the authorizers cannot list the rules of a user',
  };
}
