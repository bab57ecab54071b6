import type { AuthorizationAttributes } from '../authorizer.ts';
import { describeRule, quotedList } from './describe-rule.ts';
import { missingRolesOf } from './missing-roles.ts';
import type { PolicyRule } from './policy-rule.ts';
import type { RbacIndex } from './rbac-index.ts';
import { describeBinding } from './role-binding.ts';
import { type RuleRequest, ruleRequest } from './role-rules.ts';

/** Maximum of roles in an explanation. */
const shownRoles = 50;

/** Names the rule and binding that allow a request, or the rule that no role of the user has. */
export function explanation(index: RbacIndex, attributes: AuthorizationAttributes, group: string): string {
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
