import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from '../../authz/authorizer.ts';
import { decideAccess } from '../../authz/decide-access.ts';
import { runSteps } from '../../async/maybe-promise.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import {
  anonymous,
  nodeGroups,
  nodeOfUsername,
  serviceAccountGroups,
  serviceAccountName,
  type UserInfo,
} from '../../meta/user-info.ts';
import type { Exchange } from '../request/exchange.ts';
import {
  impersonationHeaders,
  isImpersonationHeader,
  type RequestedUser,
} from '../../http-protocol/messages/impersonation-headers.ts';
import { removeHeaders } from '../../http-protocol/messages/header-values.ts';
import type { CheckRight, ConstrainedImpersonation } from './constrained-impersonation.ts';
import type { Filter } from './filter.ts';
import type { UserPart } from './impersonation-modes.ts';
import { forbiddenRequest } from '../../authz/forbidden-request.ts';

/**
 * Replaces the user of a request by the one in its impersonation headers (spec 5.7). The caller
 * needs the right to impersonate the user, each group, the UID and each value of an extra field;
 * each is authorized separately. The caller remains in `impersonator`. The headers are removed.
 * Runs after the limit of requests in flight, so that an impersonated administrator is not exempt
 * from it. With `constrained`, rights that are limited to kinds of users and verbs suffice.
 */
export function impersonate(
  authorizers: readonly Authorizer[],
  identifiers: Identifiers,
  constrained?: ConstrainedImpersonation,
): Filter {
  const group = `authentication.${identifiers.apiDomain}`;
  return (exchange) => {
    const requested = impersonationHeaders(exchange.request.rawHeaders);
    if (!requested) return;
    const caller = exchange.user;
    const actAs = (constraint = ''): void => replaceUser(exchange, requested, constraint);
    if (constrained) {
      const anyRight = (check: CheckRight) => requireParts(check, partsOf(requested, group), caller);
      return constrained.admit(exchange, requested, anyRight).then(actAs);
    }
    const parts = partsOf(requested, group);
    const pending = runSteps(parts, (part) => requireAllowed(authorizers, { ...part, user: caller }));
    return pending ? pending.then(() => actAs()) : actAs();
  };
}

async function requireParts(check: CheckRight, parts: readonly UserPart[], user: UserInfo): Promise<void> {
  for (const part of parts) await check({ ...part, user });
}

/** The right to impersonate a part of a user. */
function userPart(resource: string, name: string, more: Partial<UserPart> = {}): UserPart {
  return {
    verb: 'impersonate',
    resourceRequest: true,
    apiGroup: '',
    apiVersion: '',
    resource,
    subresource: '',
    namespace: '',
    name,
    path: '',
    ...more,
  };
}

/** The rights for the parts of the user, in the order of kube-apiserver. */
function partsOf({ username, uid, groups, extra }: RequestedUser, group: string): readonly UserPart[] {
  const account = serviceAccountName(username);
  const own = { apiGroup: group, apiVersion: 'v1' };
  return [
    account ? userPart('serviceaccounts', account.name, { namespace: account.namespace }) : userPart('users', username),
    ...groups.map((name) => userPart('groups', name)),
    ...[...extra].flatMap(([subresource, values]) =>
      values.map((value) => userPart('userextras', value, { ...own, subresource })),
    ),
    ...(uid === '' ? [] : [userPart('uids', uid, own)]),
  ];
}

function requireAllowed(
  authorizers: readonly Authorizer[],
  attributes: AuthorizationAttributes,
): Promise<void> | undefined {
  const admit = ({ decision, reason }: AuthorizationDecision): void => {
    if (decision !== 'allow') throw forbiddenRequest(attributes, reason);
  };
  const decision = decideAccess(authorizers, attributes);
  if (decision instanceof Promise) return decision.then(admit);
  admit(decision);
  return undefined;
}

function replaceUser(exchange: Exchange, requested: RequestedUser, constraint: string): void {
  exchange.impersonator = exchange.user;
  exchange.impersonationConstraint = constraint;
  exchange.user = userOf(requested, constraint);
  exchange.trace?.note(exchange.user.username);
  removeHeaders(exchange.request, isImpersonationHeader);
}

function userOf({ username, uid, groups, extra }: RequestedUser, constraint: string): UserInfo {
  const account = serviceAccountName(username);
  const isNode = constraint !== '' && nodeOfUsername(username) !== undefined;
  const fixed = account ? serviceAccountGroups(account.namespace) : isNode ? nodeGroups : [];
  const own = groups.length === 0 ? fixed : groups;
  return { username, uid, groups: withImpliedGroup(username, own), extra: Object.fromEntries(extra) };
}

const authenticatedGroup = 'system:authenticated';
const unauthenticatedGroup = 'system:unauthenticated';

/**
 * Adds the group of all authenticated users, or the group of anonymous ones, unless the caller
 * chose one of them.
 */
function withImpliedGroup(username: string, groups: readonly string[]): readonly string[] {
  if (groups.includes(unauthenticatedGroup)) return groups;
  if (username === anonymous.username) return [...groups, unauthenticatedGroup];
  return groups.includes(authenticatedGroup) ? groups : [...groups, authenticatedGroup];
}
