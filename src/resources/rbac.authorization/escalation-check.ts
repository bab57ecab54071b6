import { isCollectorUpdate } from '../../admission/is-collector-update.ts';
import type { AdmissionPlugin } from '../../admission/admission.ts';
import { forbiddenNamed } from '../../admission/forbidden.ts';
import { isWriteTo, type ObjectWrite } from '../../admission/is-write-to.ts';
import type { AuthorizationAttributes, Authorizer } from '../../authz/authorizer.ts';
import { describeRule, quotedList } from '../../authz/rbac/describe-rule.ts';
import { missingRules } from '../../authz/rbac/missing-rules.ts';
import { type PolicyRule, readRules } from '../../authz/rbac/policy-rule.ts';
import type { Rbac } from '../../authz/rbac/rbac.ts';
import type { RbacIndex } from '../../authz/rbac/rbac-index.ts';
import { decideAccess } from '../../authz/decide-access.ts';
import type { ClusterRole, RoleBinding } from '../../gen/stored/rbac-authorization-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { getOwn, type JsonObject } from '../../meta/json-value.ts';
import { notFound, type StatusError } from '../../status/status-error.ts';

interface EscalationDependencies {
  readonly identifiers: Identifiers;
  /** The authorizers of the server's requests. */
  readonly authorizers: readonly Authorizer[];
  readonly rbac: Rbac;
}

/** A write of a role or binding that must be checked. */
interface CheckedWrite<T extends JsonObject = JsonObject> extends EscalationDependencies {
  readonly group: string;
  readonly attributes: ObjectWrite<T>;
}

const writes = ['CREATE', 'UPDATE'] as const;

/**
 * Refuses roles and bindings by which users would get more rights than they have. A role may be
 * written by users who have all of its rules or may `escalate` it; a binding by users who have all
 * rules of its role or may `bind` the role (spec 5.10). Runs after every mutating plugin and before
 * validation, always: it is no plugin that can be disabled. Writes that change nothing but owners
 * and finalizers pass, so that the garbage collector needs no rights.
 */
export function escalationCheck(dependencies: EscalationDependencies): AdmissionPlugin {
  const group = `rbac.authorization.${dependencies.identifiers.apiDomain}`;
  return {
    name: 'RBACEscalation',
    operations: writes,
    mutate(attributes) {
      const { resource, object, oldObject, user } = attributes;
      if (resource.group !== group || user.groups.includes('system:masters')) return undefined;
      if (object && oldObject && isCollectorUpdate(object, oldObject)) return undefined;
      if (isWriteTo(attributes, group, 'roles', ...writes) || isWriteTo(attributes, group, 'clusterroles', ...writes)) {
        return checkRole({ ...dependencies, group, attributes });
      }
      return isWriteTo(attributes, group, 'rolebindings', ...writes) ||
        isWriteTo(attributes, group, 'clusterrolebindings', ...writes)
        ? checkBinding({ ...dependencies, group, attributes })
        : undefined;
    },
  };
}

/** The rights to set an aggregation rule, which can gather every role. */
const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
];

async function checkRole(write: CheckedWrite<ClusterRole>): Promise<void> {
  const { attributes, rbac } = write;
  const { operation, name, resource, object, oldObject } = attributes;
  // A create has no name in its URL.
  if (await mayDo(write, 'escalate', resource.resource, operation === 'UPDATE' ? name : '')) return;
  const index = await rbac.current();
  refuseMissing(write, index, readRules(object));
  const aggregates = object.aggregationRule !== undefined || oldObject?.aggregationRule !== undefined;
  if (aggregates && missingRules(heldRules(write, index), everything).length > 0) {
    throw refusal(write, 'must have cluster-admin privileges to use the aggregationRule');
  }
}

async function checkBinding(write: CheckedWrite<RoleBinding>): Promise<void> {
  const { group, attributes, rbac } = write;
  const { kind, name } = attributes.object.roleRef;
  const kinds: Readonly<Record<string, string>> = { Role: 'roles', ClusterRole: 'clusterroles' };
  const resource = getOwn(kinds, kind);
  // Validation reports another kind.
  if (resource === undefined || (await mayDo(write, 'bind', resource, name))) return;
  const index = await rbac.current();
  const rules = index.rulesOf(resource === 'roles' ? attributes.namespace : '', name);
  if (!rules) throw notFound({ group, resource }, name);
  refuseMissing(write, index, rules);
}

async function mayDo(write: CheckedWrite, verb: string, resource: string, name: string): Promise<boolean> {
  const { authorizers, attributes, group } = write;
  const asked: AuthorizationAttributes = {
    user: attributes.user,
    verb,
    resourceRequest: true,
    apiGroup: group,
    apiVersion: '*',
    resource,
    subresource: '',
    namespace: attributes.namespace,
    name,
    path: '',
  };
  return (await decideAccess(authorizers, asked)).decision === 'allow';
}

function heldRules({ attributes: { user, namespace } }: CheckedWrite, index: RbacIndex): readonly PolicyRule[] {
  return index.grantsOf(user, namespace).flatMap(({ role }) => role.rules?.rules ?? []);
}

/** Throws 403 with the rules that the user does not have. */
function refuseMissing(write: CheckedWrite, index: RbacIndex, rules: readonly PolicyRule[]): void {
  const missing = missingRules(heldRules(write, index), rules);
  if (missing.length === 0) return;
  const { user, namespace } = write.attributes;
  const who = `user ${JSON.stringify(user.username)} (groups=${quotedList(user.groups)})`;
  const lines = missing.map(describeRule).toSorted().join('\n');
  const unknown = index
    .missingRoles(user, namespace)
    .map((role) => notFound({ group: write.group, resource: `${role.kind}s` }, role.name).message);
  throw refusal(
    write,
    `${who} is attempting to grant RBAC permissions not currently held:\n${lines}` +
      (unknown.length > 0 ? `; resolution errors: [${unknown.join(' ')}]` : ''),
  );
}

/** A refusal. Unlike a plugin's, it does not show the prefix of a name to be generated. */
function refusal({ attributes }: CheckedWrite, why: string): StatusError {
  return forbiddenNamed(attributes, attributes.name, why);
}
