import type { Authorizer } from '../../authz/authorizer.ts';
import { nodeAuthorizer } from '../../authz/node/node-authorizer.ts';
import { clusterRoleRules } from '../../resources/rbac.authorization/defaults/cluster-role-rules.ts';
import { readRule } from '../../resources/rbac.authorization/defaults/read-rule.ts';
import type { AccessDependencies } from './access-dependencies.ts';

/** Creates the authorizer of the mode Node, with the rules of the default role `system:node`. */
export function createNodeAuthorizer(dependencies: AccessDependencies): Authorizer {
  const lines = clusterRoleRules['system:node'] ?? [];
  return nodeAuthorizer({ ...dependencies, rules: lines.map((line) => readRule(line, dependencies.identifiers)) });
}
