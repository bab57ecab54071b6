import type { Invocation } from '../../command.ts';
import type { whoCanFlags } from './flags.ts';
import { type PolicyRule, readRules } from '../../../authz/rbac/policy-rule.ts';
import { readBinding, type RoleBinding, type Subject } from '../../../authz/rbac/role-binding.ts';
import { RoleRules, ruleRequest } from '../../../authz/rbac/role-rules.ts';
import type { Client } from '../../../client/client.ts';
import { resourcesOf } from '../../find-type.ts';
import { type DiscoveredResource } from '../../../client/discovery.ts';
import { findResource } from '../../../client/find-resource.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { nameOf, namespaceOf } from '../../../meta/object-meta.ts';
import { CliError } from '../../cli-error.ts';
import { withClient } from '../../connect.ts';
import { columnWidths, formatRows } from '../../format-rows.ts';
import { type AccessQuestion, accessQuestion } from './access-question.ts';

/**
 * `cl auth who-can`: prints the subjects whose roles allow something. Other authorizers of the
 * server can allow or deny more.
 */
export async function whoCan({ words, options, io }: Invocation<typeof whoCanFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const resources = await resourcesOf({ client, options, io });
    const question = accessQuestion(words, { resources, namespace: client.settings.namespace, options, io });
    const rows = allowedRows(question, await readPolicy({ client, resources, signal: io.signal }, question.namespace));
    if (rows.length === 0) {
      io.stderr.write('No role allows it to anyone.\n');
      return;
    }
    const table = [['KIND', 'SUBJECT', 'ROLE', 'BINDING'], ...rows];
    io.stdout.write(formatRows(table, columnWidths(table)));
  });
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

/** Reads the roles and bindings of the cluster and of a namespace. */
async function readPolicy(source: PolicySource, namespace: string): Promise<Policy> {
  const namespaced = (resource: string) => (namespace === '' ? [] : list(source, resource, namespace));
  const [clusterRoles, roles, clusterBindings, bindings] = await Promise.all([
    list(source, 'clusterroles'),
    namespaced('roles'),
    list(source, 'clusterrolebindings'),
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

function allowedRows(question: AccessQuestion, { roles, bindings }: Policy): readonly (readonly string[])[] {
  const request = ruleRequest({
    ...question,
    user: { username: '', uid: '', groups: [], extra: {} },
    resourceRequest: question.path === '',
    apiGroup: question.group,
    apiVersion: '',
  });
  return bindings.flatMap((binding) => {
    const { role, namespace, name } = binding;
    const rule: PolicyRule | undefined = roles
      .get(`${role.kind === 'Role' ? namespace : ''}/${role.name}`)
      ?.find(request);
    if (!rule) return [];
    const kind = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
    return binding.subjects.map((subject) => [
      subject.kind,
      subjectName(subject, namespace),
      `${role.kind}/${role.name}`,
      `${kind}/${name}`,
    ]);
  });
}

function subjectName({ kind, namespace, name }: Subject, bindingNamespace: string): string {
  return kind === 'ServiceAccount' ? `${namespace || bindingNamespace}/${name}` : name;
}
