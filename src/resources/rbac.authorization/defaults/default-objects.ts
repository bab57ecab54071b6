import { type PolicyRule, ruleObject } from '../../../authz/rbac/policy-rule.ts';
import { groupBy } from '../../../meta/group-by.ts';
import { once } from '../../../meta/memoize.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { aggregatedParts, aggregatedRoles } from './aggregated-roles.ts';
import { clusterRoleRules, selfReviewRule } from './cluster-role-rules.ts';
import { controllerRoleRules } from './controller-role-rules.ts';
import { laterRoleRules } from './later-role-rules.ts';
import { namespacedRoles } from './namespaced-roles.ts';
import { expand, readRule } from './read-rule.ts';
import { isSince } from '../../../scheme/api-release.ts';

/** Changes the rules of a role to the rules of an earlier release. */
type EarlierRules = (rules: readonly string[]) => readonly string[];

const without =
  (...gone: readonly string[]): EarlierRules =>
  (rules) =>
    rules.filter((rule) => !gone.includes(rule));

const respelled =
  (text: string, earlier: string): EarlierRules =>
  (rules) =>
    rules.map((rule) => rule.replace(text, earlier));

/**
 * The changes of default ClusterRoles between the releases, the latest first: the role, the release
 * that brought the change, and the function that undoes it. The changes of 1.21 are known to be
 * absent in 1.20.
 */
const changes: readonly (readonly [role: string, since: string, earlier: EarlierRules])[] = [
  [
    'system:controller:statefulset-controller',
    '1.27',
    respelled('create,get,update core persistentvolumeclaims', 'create,get core persistentvolumeclaims'),
  ],
  // Writers of Endpoints could lead a load balancer to other namespaces (CVE-2021-25740).
  ['system:aggregate-to-edit', '1.22', respelled('configmaps,events,', 'configmaps,endpoints,')],
  ['system:aggregate-to-view', '1.22', without('read discovery endpointslices')],
  ['system:{prefix}scheduler', '1.22', without('read core namespaces')],
  ['system:{prefix}scheduler', '1.21', without('read storage csidrivers', 'read storage csistoragecapacities')],
  ['system:controller:horizontal-pod-autoscaler', '1.21', without('get,list external.metrics *')],
  [
    'system:controller:job-controller',
    '1.21',
    respelled('list,patch,update,watch batch jobs', 'list,update,watch batch jobs'),
  ],
];

/** The first releases with some roles and the bindings of the same name. */
const introduced: Readonly<Record<string, string>> = {
  'system:controller:ephemeral-volume-controller': '1.21',
  'system:controller:ttl-after-finished-controller': '1.21',
  'system:controller:root-ca-cert-publisher': '1.20',
  'system:monitoring': '1.20',
  'system:service-account-issuer-discovery': '1.20',
  'system:controller:endpointslicemirroring-controller': '1.19',
  'system:certificates.{api}:legacy-unknown-approver': '1.18',
  'system:certificates.{api}:{nodeAgent}-serving-approver': '1.18',
  'system:certificates.{api}:{prefix}apiserver-client-approver': '1.18',
  'system:certificates.{api}:{prefix}apiserver-client-{nodeAgent}-approver': '1.18',
};

/** True if a release has a default ClusterRole, by its name with placeholders. */
function isRoleIn(served: ServedParts, name: string): boolean {
  const since = introduced[name];
  if (since !== undefined) return isSince(served.release, since);
  return !(name in laterRoles()) || rulesIn(served, name, []).length > 0;
}

/**
 * The rules of a default role in a release, computed from its rules in 1.23. The name of a Role has
 * its namespace as a prefix: `<namespace>/<name>`.
 */
function rulesIn(served: ReleaseParts, name: string, rules: readonly string[]): readonly string[] {
  const { release, isFeatureEnabled } = served;
  const earlier = changes
    .filter(([role, since]) => role === name && !isSince(release, since))
    .reduce((kept, [, , before]) => before(kept), rules);
  return (laterRules().get(name) ?? [])
    .filter(({ since, until }) => isSince(release, since) && !(until && isSince(release, until)))
    .filter(({ gate }) => gate === undefined || isFeatureEnabled(gate))
    .reduce(changed, earlier);
}

function changed(
  rules: readonly string[],
  { gone = [], added = [] }: (typeof laterRoleRules)[number],
): readonly string[] {
  const [first] = gone;
  if (first === undefined) return [...rules, ...added];
  return rules.flatMap((rule) => (rule === first ? added : gone.includes(rule) ? [] : [rule]));
}

/** The users, groups and service accounts that a default ClusterRole is bound to. */
interface RoleSubjects {
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
  /** Service accounts in the system namespace. */
  readonly accounts?: readonly string[];
}

/**
 * The default ClusterRoleBindings, which have the names of their roles. Texts have the placeholders
 * of `expand`. The role of nodes is bound to nobody: the Node authorizer replaces it.
 */
const clusterRoleSubjects: Readonly<Record<string, RoleSubjects>> = {
  'cluster-admin': { groups: ['system:masters'] },
  'system:basic-user': { groups: ['system:authenticated'] },
  'system:discovery': { groups: ['system:authenticated'] },
  'system:{prefix}controller-manager': { users: ['system:{prefix}controller-manager'] },
  'system:{prefix}dns': { accounts: ['{prefix}dns'] },
  'system:{prefix}scheduler': { users: ['system:{prefix}scheduler'] },
  'system:monitoring': { groups: ['system:monitoring'] },
  'system:node': {},
  'system:node-proxier': { users: ['system:{prefix}proxy'] },
  'system:public-info-viewer': { groups: ['system:authenticated', 'system:unauthenticated'] },
  'system:service-account-issuer-discovery': { groups: ['system:serviceaccounts'] },
  'system:cluster-trust-bundle-discovery': { groups: ['system:serviceaccounts'] },
  'system:volume-scheduler': { users: ['system:{prefix}scheduler'] },
};

/** A default role or binding. */
export interface DefaultObject {
  /** The plural name of its resource. */
  readonly resource: 'clusterroles' | 'clusterrolebindings' | 'roles' | 'rolebindings';
  /** '' for cluster-scoped ones. */
  readonly namespace: string;
  readonly object: JsonObject;
}

/** The release and its feature gates. */
type ReleaseParts = Pick<ServedParts, 'release' | 'isFeatureEnabled'>;

/** Parts of the API that the default roles depend on. */
interface ServedParts {
  /** True if SelfSubjectReviews are served, which release 1.23 does not know. */
  readonly selfReviews: boolean;
  /** The release, such as `1.23`. */
  readonly release: string;
  /** True if a feature gate is on: some rules depend on a feature. */
  readonly isFeatureEnabled: (gate: string) => boolean;
}

/** The rules of `system:node` in a release, which the node authorizer grants to nodes. */
export function nodeRoleRules(identifiers: Identifiers, served: ReleaseParts): readonly PolicyRule[] {
  const name = 'system:node';
  return rulesIn(served, name, clusterRoleRules[name] ?? []).map((line) => readRule(line, identifiers));
}

/** Returns the default roles and bindings of a cluster in a release. */
export function defaultObjects(identifiers: Identifiers, served: ServedParts): readonly DefaultObject[] {
  return [
    ...clusterRoles(identifiers, served),
    ...clusterBindings(identifiers, served),
    ...namespacedRoles.flatMap((role) => roleAndBinding(role, identifiers, served)),
  ];
}

function clusterRoles(identifiers: Identifiers, served: ServedParts): readonly DefaultObject[] {
  const { apiDomain } = identifiers;
  const label = (part: string): JsonObject => ({ [`rbac.authorization.${apiDomain}/aggregate-to-${part}`]: 'true' });
  const all = Object.entries({ ...clusterRoleRules, ...controllerRoles(), ...laterRoles() });
  const known = all.filter(([name]) => isRoleIn(served, name));
  const plain = known.map(([name, latest]) => {
    const part = aggregatedParts[name];
    const lines = rulesIn(served, name, latest);
    const rules = served.selfReviews && name === 'system:basic-user' ? [...lines, selfReviewRule] : lines;
    return clusterRole(name, { rules, labels: part === undefined ? {} : label(part) }, identifiers);
  });
  const aggregated = Object.entries(aggregatedRoles).map(([name, { from, parts, includedIn }]) => {
    const rules = parts.flatMap((part) => rulesIn(served, part, clusterRoleRules[part] ?? []));
    const labels = includedIn === undefined ? {} : label(includedIn);
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: label(from) }] };
    return clusterRole(name, { rules, labels, aggregationRule }, identifiers);
  });
  return [...plain, ...aggregated];
}

interface RoleParts {
  readonly rules: readonly string[];
  readonly labels: JsonObject;
  readonly aggregationRule?: JsonObject;
}

function clusterRole(name: string, { rules, labels, ...rest }: RoleParts, identifiers: Identifiers): DefaultObject {
  const metadata = metadataOf(name, identifiers, labels);
  return { resource: 'clusterroles', namespace: '', object: { metadata, ...rest, rules: rulesOf(rules, identifiers) } };
}

/** The changes after 1.23, by role name. */
const laterRules = once(() => groupBy(laterRoleRules, ({ role }) => role));

/** The ClusterRoles that were added after 1.23, without rules. */
const laterRoles = once((): Readonly<Record<string, readonly string[]>> => {
  const earlier = new Set([...Object.keys(clusterRoleRules), ...Object.keys(controllerRoles())]);
  const later = laterRoleRules.filter(({ role }) => !role.includes('/') && !earlier.has(role));
  return Object.fromEntries(later.map(({ role }) => [role, []]));
});

/** The prefix of the role names of controllers, before the service account. */
const controllerPrefix = 'system:controller:';

function controllerRoles(): Readonly<Record<string, readonly string[]>> {
  const rows = Object.entries(controllerRoleRules);
  return Object.fromEntries(rows.map(([account, rules]) => [`${controllerPrefix}${account}`, rules]));
}

function clusterBindings(identifiers: Identifiers, served: ServedParts): readonly DefaultObject[] {
  const controllers = [...Object.keys(controllerRoles()), ...Object.keys(laterRoles())];
  const accounts = controllers
    .filter((name) => name.startsWith(controllerPrefix))
    .map((name): [string, Subjects] => [name, { accounts: [name.slice(controllerPrefix.length)] }]);
  const all = [...Object.entries<Subjects>(clusterRoleSubjects), ...accounts];
  return all
    .filter(([name]) => isRoleIn(served, name))
    .map(([name, subjects]) => ({
      resource: 'clusterrolebindings',
      namespace: '',
      object: bindingOf(name, { kind: 'ClusterRole', name, ...subjects }, identifiers),
    }));
}

function roleAndBinding(
  role: (typeof namespacedRoles)[number],
  identifiers: Identifiers,
  served: ServedParts,
): readonly DefaultObject[] {
  const { name, binding = name, users, laterAccounts = {} } = role;
  const rules = rulesIn(served, `${role.namespace}/${name}`, role.rules);
  const later = Object.entries(laterAccounts).flatMap(([one, since]) => (isSince(served.release, since) ? [one] : []));
  const accounts = [...(role.accounts ?? []), ...later];
  const namespace = expand(role.namespace, identifiers);
  const metadata = { ...metadataOf(name, identifiers), namespace };
  const bound = bindingOf(binding, { kind: 'Role', name, users, accounts }, identifiers, namespace);
  return [
    { resource: 'roles', namespace, object: { metadata, rules: rulesOf(rules, identifiers) } },
    { resource: 'rolebindings', namespace, object: bound },
  ];
}

interface Subjects {
  readonly users?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly accounts?: readonly string[] | undefined;
}

function bindingOf(
  name: string,
  {
    kind,
    name: role,
    users = [],
    groups = [],
    accounts = [],
  }: Subjects & { readonly kind: string; readonly name: string },
  identifiers: Identifiers,
  namespace = '',
): JsonObject {
  const apiGroup = `rbac.authorization.${identifiers.apiDomain}`;
  const text = (value: string): string => expand(value, identifiers);
  const subjects = [
    ...users.map((user) => ({ kind: 'User', apiGroup, name: text(user) })),
    ...groups.map((group) => ({ kind: 'Group', apiGroup, name: text(group) })),
    ...accounts.map((account) => ({ kind: 'ServiceAccount', name: text(account), namespace: text('{prefix}system') })),
  ];
  return {
    metadata: { ...metadataOf(name, identifiers), ...(namespace === '' ? {} : { namespace }) },
    roleRef: { apiGroup, kind, name: text(role) },
    ...(subjects.length === 0 ? {} : { subjects }),
  };
}

function metadataOf(name: string, identifiers: Identifiers, labels: JsonObject = {}): JsonObject {
  const { labelDomain } = identifiers;
  return {
    name: expand(name, identifiers),
    labels: { [`${labelDomain}/bootstrapping`]: 'rbac-defaults', ...labels },
    annotations: { [`rbac.authorization.${labelDomain}/autoupdate`]: 'true' },
  };
}

function rulesOf(lines: readonly string[], identifiers: Identifiers): JsonObject[] {
  const rules = lines.map((line) => readRule(line, identifiers));
  // Roles that get their rules from others can have the same ones twice.
  const distinct = new Map(rules.map((rule) => [JSON.stringify(rule), rule]));
  return [...distinct.values()].map(ruleObject);
}
