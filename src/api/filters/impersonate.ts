import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from '../../authz/authorizer.ts';
import { authorize as decide } from '../../authz/union.ts';
import { runSteps } from '../../async/maybe-promise.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { serviceAccountGroups, serviceAccountName, anonymous, type UserInfo } from '../../meta/user-info.ts';
import type { Exchange } from '../request/exchange.ts';
import {
  impersonationHeaders,
  isImpersonationHeader,
  type RequestedUser,
} from '../../http-protocol/messages/impersonation-headers.ts';
import { removeHeaders } from '../../http-protocol/messages/header-values.ts';
import type { Filter } from './filter.ts';
import { forbiddenRequest } from './forbidden-request.ts';

/**
 * Replaces the user of a request by the one that its headers ask for (spec 5.7), if the caller may
 * impersonate the user, each group, the UID and each value of an extra field, all decided
 * separately. The caller remains in `impersonator`. The headers are removed. Runs after the limit
 * of requests in flight, so that an impersonated administrator is not exempt from it.
 */
export function impersonate(authorizers: readonly Authorizer[], identifiers: Identifiers): Filter {
  const group = `authentication.${identifiers.apiDomain}`;
  return (exchange) => {
    const requested = impersonationHeaders(exchange.request.rawHeaders);
    if (!requested) return;
    const caller = exchange.user;
    const actAs = (): void => replaceUser(exchange, requested);
    const parts = partsOf(requested, group);
    const pending = runSteps(parts, (part) => requireAllowed(authorizers, { ...part, user: caller }));
    return pending ? pending.then(actAs) : actAs();
  };
}

/** A part of the requested user, as a resource that the caller must be allowed to impersonate. */
type UserPart = Omit<AuthorizationAttributes, 'user'>;

/** The authorization of each part, in the order of kube-apiserver. */
function partsOf({ username, uid, groups, extra }: RequestedUser, group: string): readonly UserPart[] {
  const account = serviceAccountName(username);
  const part = (resource: string, name: string, more: Partial<UserPart> = {}): UserPart => ({
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
  });
  const own = { apiGroup: group, apiVersion: 'v1' };
  return [
    account ? part('serviceaccounts', account.name, { namespace: account.namespace }) : part('users', username),
    ...groups.map((name) => part('groups', name)),
    ...[...extra].flatMap(([subresource, values]) =>
      values.map((value) => part('userextras', value, { ...own, subresource })),
    ),
    ...(uid === '' ? [] : [part('uids', uid, own)]),
  ];
}

function requireAllowed(
  authorizers: readonly Authorizer[],
  attributes: AuthorizationAttributes,
): Promise<void> | undefined {
  const admit = ({ decision, reason }: AuthorizationDecision): void => {
    if (decision !== 'allow') throw forbiddenRequest(attributes, reason);
  };
  const decision = decide(authorizers, attributes);
  if (decision instanceof Promise) return decision.then(admit);
  admit(decision);
  return undefined;
}

function replaceUser(exchange: Exchange, requested: RequestedUser): void {
  exchange.impersonator = exchange.user;
  exchange.user = userOf(requested);
  exchange.trace?.note(exchange.user.username);
  removeHeaders(exchange.request, isImpersonationHeader);
}

function userOf({ username, uid, groups, extra }: RequestedUser): UserInfo {
  const account = serviceAccountName(username);
  const own = groups.length === 0 && account ? serviceAccountGroups(account.namespace) : groups;
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
