import { type PolicyRule, readRules } from '../../../authz/rbac/policy-rule.ts';
import { readBinding, type RoleBinding, type Subject } from '../../../authz/rbac/role-binding.ts';
import { RoleRules, ruleRequest } from '../../../authz/rbac/role-rules.ts';
import type { Client } from '../../../client/client.ts';
import type { DiscoveredResource } from '../../../client/discovery.ts';
import { findResource } from '../../../client/find-resource.ts';
import { hasReason } from '../../../client/error-of-response.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { nameOf, namespaceOf } from '../../../meta/object-meta.ts';
import { CliError } from '../../cli-error.ts';
import type { AccessQuestion } from './access-question.ts';

/** A binding whose role allows an action, with the rule that allows it. */
interface RoleGrant {
  readonly binding: RoleBinding;
  readonly rule: PolicyRule;
}

interface Policy {
  /** By namespace and name with a slash between; the namespace is '' for ClusterRoles. */
  readonly roles: ReadonlyMap<string, RoleRules>;
  readonly bindings: readonly RoleBinding[];
}

interface PolicySource {
  readonly client: Client;
  readonly resources: readonly DiscoveredResource[];
  readonly signal: AbortSignal;
}

/**
 * Reads the roles and bindings of the cluster and of a namespace. With `onForbidden` a kind that
 * may not be listed is reported and left out; without it the error of the server is thrown.
 */
export async function readPolicy(
  source: PolicySource,
  namespace: string,
  onForbidden?: (resource: string, message: string) => void,
): Promise<Policy> {
  const read = async (resource: string, place?: string): Promise<readonly JsonObject[]> => {
    try {
      return await list(source, resource, place);
    } catch (error) {
      if (!onForbidden || !hasReason(error, 'Forbidden')) throw error;
      onForbidden(resource, error.message);
      return [];
    }
  };
  const namespaced = (resource: string) => (namespace === '' ? [] : read(resource, namespace));
  const [clusterRoles, roles, clusterBindings, bindings] = await Promise.all([
    read('clusterroles'),
    namespaced('roles'),
    read('clusterrolebindings'),
    namespaced('rolebindings'),
  ]);
  const rulesOf = (role: JsonObject): readonly [string, RoleRules] => [
    `${namespaceOf(role)}/${nameOf(role)}`,
    new RoleRules(readRules(role)),
  ];
  return {
    roles: new Map([...clusterRoles, ...roles].map(rulesOf)),
    bindings: [...clusterBindings, ...bindings].map(readBinding),
  };
}

async function list(
  { client, resources, signal }: PolicySource,
  name: string,
  namespace?: string,
): Promise<readonly JsonObject[]> {
  const resource = findResource(resources, name);
  if (!resource) throw new CliError(`the server has no ${name}`);
  const items: JsonObject[] = [];
  for await (const page of client.resource(resource).pages({ namespace, signal })) {
    // The codec of the client returns JSON values.
    items.push(...(page.items as JsonObject[]));
  }
  return items;
}

/**
 * The bindings whose roles allow an action to their subjects. Other authorizers of the server can
 * allow or deny more.
 */
export function roleGrants(question: AccessQuestion, { roles, bindings }: Policy): readonly RoleGrant[] {
  const request = ruleRequest({
    ...question,
    user: { username: '', uid: '', groups: [], extra: {} },
    resourceRequest: question.path === '',
    apiGroup: question.group,
    apiVersion: '',
  });
  return bindings.flatMap((binding) => {
    const { role, namespace } = binding;
    const rule = roles.get(`${role.kind === 'Role' ? namespace : ''}/${role.name}`)?.find(request);
    return rule ? [{ binding, rule }] : [];
  });
}

/** The name of a subject of a binding; the name of a service account follows its namespace. */
export function subjectName({ kind, namespace, name }: Subject, bindingNamespace: string): string {
  return kind === 'ServiceAccount' ? `${namespace || bindingNamespace}/${name}` : name;
}
