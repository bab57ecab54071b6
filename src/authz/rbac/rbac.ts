import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { ListerFeed, ListerOf } from '../../meta/lister.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { UserInfo } from '../../meta/user-info.ts';
import { nameOf, namespaceOf } from '../../meta/object-meta.ts';
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from '../authorizer.ts';
import type { UserRules } from '../user-rules.ts';
import { type PolicyRule, readRules } from './policy-rule.ts';
import { RbacIndex } from './rbac-index.ts';
import { readBinding, describeBinding } from './role-binding.ts';
import { ruleRequest, type RuleRequest } from './role-rules.ts';
import { describeRule, quotedList } from './describe-rule.ts';
import { inBrackets } from '../decide-access.ts';

/** Maximum of roles in an explanation. */
const shownRoles = 50;

/** Names the rule and binding that allow a request, or the rule that no role of the user has. */
function explanation(index: RbacIndex, attributes: AuthorizationAttributes, group: string): string {
  const { user, namespace } = attributes;
  const request = ruleRequest(attributes);
  const grant = index.find(request);
  const rule = grant?.role.rules?.find(request);
  if (grant && rule) return `${describeBinding(grant.binding, grant.subject)}, by the rule ${describeRule(rule)}`;
  const grants = index.grantsOf(user, namespace);
  const bindings = grants.map(({ binding }) => `${binding.role.kind} ${JSON.stringify(binding.role.name)}`);
  const bound = [...new Set(bindings)].slice(0, shownRoles);
  const who = `User ${JSON.stringify(user.username)} or one of the groups ${quotedList(user.groups)}`;
  const where = namespace === '' ? 'in the cluster' : `in the namespace ${JSON.stringify(namespace)}`;
  return [
    `no role has ${describeRule(neededRule(request))} for ${who}`,
    `their roles ${where}: ${bound.join(', ') || 'none'}`,
    ...missingRolesOf(index, user, namespace, group),
  ].join('; ');
}

/** The smallest rule that allows a request. */
function neededRule({ attributes, resource }: RuleRequest): PolicyRule {
  const { verb, resourceRequest, apiGroup, name, path } = attributes;
  const none = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
  if (!resourceRequest) return { ...none, verbs: [verb], nonResourceURLs: [path] };
  const resourceNames = name === '' ? [] : [name];
  return { ...none, verbs: [verb], apiGroups: [apiGroup], resources: [resource], resourceNames };
}

interface RbacDependencies {
  readonly identifiers: Identifiers;
  readonly listerOf: ListerOf;
  /** True to have all objects in memory before the server is ready. */
  readonly warm: boolean;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
}

/** The authorization mode RBAC, and its roles and bindings. */
export interface Rbac {
  readonly authorizer: Authorizer;
  /**
   * The index of the current roles and bindings; a promise while the cache is being filled or many
   * changes are indexed.
   */
  current(): RbacIndex | Promise<RbacIndex>;
}

/**
 * `--authorization-mode=RBAC`: allows requests that match the rules of a role bound to the user or
 * to one of its groups. Follows roles and bindings through the cache. It has no opinion otherwise;
 * the reason then names roles that bindings refer to and that do not exist. Names of subjects match
 * literally: `*` is no pattern, so nothing covers anonymous users by accident (spec 5.6).
 */
export function createRbac({ identifiers, listerOf, warm, signal }: RbacDependencies): Rbac {
  const group = `rbac.authorization.${identifiers.apiDomain}`;
  const index = new RbacIndex();
  const feeds = followAll(index, { group, listerOf, warm });
  const current = (): RbacIndex | Promise<RbacIndex> => {
    for (const feed of feeds) {
      const pending = feed.catchUp(signal);
      if (pending) return pending.then(current);
    }
    return index;
  };
  const decide = (known: RbacIndex, attributes: AuthorizationAttributes): AuthorizationDecision =>
    known.find(ruleRequest(attributes))?.decision() ??
    refusal(missingRolesOf(known, attributes.user, attributes.namespace, group));
  return {
    current,
    authorizer: {
      name: 'RBAC',
      authorize(attributes) {
        const known = current();
        return known instanceof Promise ? known.then((ready) => decide(ready, attributes)) : decide(known, attributes);
      },
      explain: async (attributes) => explanation(await current(), attributes, group),
      rulesFor: async (user, namespace) => rulesOf(await current(), user, namespace, group),
    },
  };
}

function rulesOf(index: RbacIndex, user: UserInfo, namespace: string, group: string): UserRules {
  const rules = index.grantsOf(user, namespace).flatMap(({ role }) => role.rules?.rules ?? []);
  return {
    resourceRules: rules.flatMap(({ verbs, apiGroups, resources, resourceNames }) =>
      resources.length > 0
        ? [{ verbs, apiGroups, resources, ...(resourceNames.length > 0 ? { resourceNames } : {}) }]
        : [],
    ),
    nonResourceRules: rules.flatMap(({ verbs, nonResourceURLs }) =>
      nonResourceURLs.length > 0 ? [{ verbs, nonResourceURLs }] : [],
    ),
    incomplete: false,
    evaluationError: inBrackets(missingRolesOf(index, user, namespace, group)),
  };
}

interface Role {
  readonly namespace: string;
  readonly name: string;
  readonly rules: readonly PolicyRule[];
}

const noRole: Role = { namespace: '', name: '', rules: [] };

function readRole(object: JsonObject): Role {
  return { namespace: namespaceOf(object), name: nameOf(object), rules: readRules(object) };
}

function followAll(
  index: RbacIndex,
  { listerOf, ...common }: Pick<RbacDependencies, 'listerOf' | 'warm'> & { readonly group: string },
): readonly ListerFeed[] {
  const roles = new Map<string, Role>();
  const setRole = (key: string, role: Role | undefined): void => {
    const { namespace, name } = role ?? roles.get(key) ?? noRole;
    if (role) roles.set(key, role);
    else roles.delete(key);
    index.setRole(namespace, name, role?.rules);
  };
  const rolesOf = (resource: string): ListerFeed => listerOf({ ...common, resource, read: readRole }).follow(setRole);
  const bindingsOf = (resource: string): ListerFeed =>
    listerOf({ ...common, resource, read: readBinding }).follow((key, binding) => index.setBinding(key, binding));
  return [rolesOf('clusterroles'), rolesOf('roles'), bindingsOf('clusterrolebindings'), bindingsOf('rolebindings')];
}

const noOpinion: AuthorizationDecision = Object.freeze({ decision: 'no-opinion', reason: '' });

function refusal(missing: readonly string[]): AuthorizationDecision {
  if (missing.length === 0) return noOpinion;
  return { decision: 'no-opinion', reason: `RBAC: ${inBrackets(missing)}` };
}

/** Reports roles that do not exist although bindings refer to them, as kube-apiserver does. */
function missingRolesOf(index: RbacIndex, user: UserInfo, namespace: string, group: string): readonly string[] {
  return index
    .missingRoles(user, namespace)
    .map(({ kind, name }) => `${kind}.${group} ${JSON.stringify(name)} not found`);
}
